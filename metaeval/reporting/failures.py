"""What it means for a metric to fail a property, in a newcomer's words."""

from __future__ import annotations

_WORDS = {
    "ordinal-invariance": "takes class numbers at face value: an empty class in between changes "
    "the score",
    "unused-class-invariance": "an empty class at the end of the scale changes the score",
    "monotonicity": "an answer can come nearer to its gold class and not be rewarded",
    "weak-monotonicity": "an answer can come nearer to its gold class and lower the score",
    "imbalance": "an error in a small class does not always cost more than in a large one",
    "identity": "an output with errors can get the best score",
    "boundedness": "scores leave the declared range",
    "symmetry": "exchanging gold and output changes the score",
    "reversal-invariance": "reversing the order of the classes changes the score",
    "sample-size-invariance": "twice the same data score differently",
    "class-size-invariance": "how many items a gold class has changes the score",
    "triangle-inequality": "is not a distance: a detour can be shorter than the direct way",
    "single-item": "gives no score to a single item",
    "constant-output": "gives no score to an output that is always the same class",
    "absent-class": "gives no score if a class does not occur in gold",
    "constant-baseline": "what guessing scores depends on the class sizes",
}


def failing(property: str) -> str:
    """The failure in words; of a property that nobody foresaw, its name."""
    return _WORDS.get(property, f"fails {property}")
