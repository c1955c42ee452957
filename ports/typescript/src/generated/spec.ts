// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "3d99ffd9f85a7b6d87358bc4311c773415f585e17c6fd2948b1887ad9dc3c962";
