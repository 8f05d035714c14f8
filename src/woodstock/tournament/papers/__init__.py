"""The papers' tables and figures: their numbers as data, and ours beside them by one command.

`tables` are the data, `plan` makes tournaments of them, `measures` are figures that need no match,
`reproduce` plays and `show` writes the tables.
"""
