"""Studies of trained classifiers: what choosing parameters under one metric costs under others."""
