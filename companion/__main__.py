"""`python -m companion` is the command `remi`."""

from companion.cli import main

if __name__ == "__main__":
    main(prog_name="remi")
