"""Frames and figures for people: text, JSON, CSV, LaTeX, HTML."""
