"""SQL: which texts may be sent to a database, and how they are laid out. No network, no agent."""
