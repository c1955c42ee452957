// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "3cedbdeba5067ea06fcaa2cb3eeba4344c06f1b69910b50bb4bb6aa99e11cc7b";
