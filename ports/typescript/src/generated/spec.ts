// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "e0afd3977d0cc6817269070edc6b132d999b8d498aeae2f671cb3d8a80fb76d1";
