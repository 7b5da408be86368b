"""Bots that the server knows by name: the register, who is connected and free, and ratings across events."""
