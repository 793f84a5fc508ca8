"""A scripted table: simulated games as looks at tiles that lie there, with all that a camera gets wrong."""
