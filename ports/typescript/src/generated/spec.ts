// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "cc23aec6ac4acf6d2b1b87169958fa7bf866be8e62a3cfe4203220ffaf9517a8";
