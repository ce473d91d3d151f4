"""metaeval beside the libraries that people use today: time, ratio and agreement of values."""
