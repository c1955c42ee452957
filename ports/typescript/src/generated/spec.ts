// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "0b3bf9b87bf91a13042ebabd6e11d759b12bd6e20ccc6a9a82cb275a1a0dead1";
