"""What the demo installations contain, and how it gets there through Superset's REST API."""
