"""The deployed graphs: how the nodes are wired, with which tools, and who may call them."""
