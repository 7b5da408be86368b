"""The Ziggurat server: matches kept in Redis, served over gRPC."""

from importlib.metadata import version

VERSION = version("ziggurat")
