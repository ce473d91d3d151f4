"""Users' own system outputs: reading them, and everything that can be said about them."""
