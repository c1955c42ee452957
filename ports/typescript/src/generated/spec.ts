// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "bfa1cde4a134f2931c07b81fcd1e05c6e1c3586702b5e8e093855d537944d1be";
