// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "04b26d33eb381707f2f443543a29cd8428f566b283b64816a5cb836c671956cb";
