"""The board at the table: what is said to it, the line it hangs on, and boards made of software."""
