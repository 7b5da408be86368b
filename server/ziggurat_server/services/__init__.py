"""The gRPC services: alone (with convert) in knowing the wire's messages."""
