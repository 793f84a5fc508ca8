"""The running companion: composes reader, rules and page into one program, the command `remi`."""
