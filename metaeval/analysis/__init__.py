"""What metrics make of many systems: coverage, robustness, agreement, discrimination."""
