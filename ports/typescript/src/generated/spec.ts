// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "0e0872bccd8a3f8778e70ed4baac6974ae51c865bd3986ed3b98ca558e57f6cb";
