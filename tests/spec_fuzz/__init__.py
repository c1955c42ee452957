"""Any word of OpenAPI and JSON Schema, at any place of a spec: refused, or it has an effect."""
