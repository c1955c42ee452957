"""Any word of OpenAPI and JSON Schema, at any place of a spec: refused, or what it says goes over the wire."""
