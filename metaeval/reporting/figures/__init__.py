"""Figures: each a small file from a frame to SVG, a text alternative and the data behind it."""
