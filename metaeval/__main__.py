"""`python -m metaeval` is `metaeval`."""

from metaeval.cli import main

main()
