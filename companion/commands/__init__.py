"""The verbs of the command `remi`; what is heavy is imported inside the verb that needs it."""
