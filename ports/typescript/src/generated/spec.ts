// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "c8ddc58a809c846c377337158d71cd87b1f4dc56a81810dc334e7a439166773f";
