"""Independent move generators: plain Python, no GDL (see `protocol`)."""
