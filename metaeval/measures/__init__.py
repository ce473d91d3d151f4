"""The metrics: a registry, and one file a family."""
