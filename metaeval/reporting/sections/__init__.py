"""The sections of the report: each a small file from the evidence to blocks."""
