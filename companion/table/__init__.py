"""The running table: one journal, one thread that writes, what it shows, and how it is put together."""
