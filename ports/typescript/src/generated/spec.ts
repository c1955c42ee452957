// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "9127afbe898b544347afb61e11298cea32d316d19c3235ca364ab6a63ea76a02";
