"""Studies as data: the published figures, and the experiments that metaeval can run."""
