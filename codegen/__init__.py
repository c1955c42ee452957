"""The generator: spec/openapi.yaml -> generated/. Not shipped."""
