// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "850cb1991ea7d4b6d0f764f530a361f14df9088f395494076b1e56941f57c93b";
