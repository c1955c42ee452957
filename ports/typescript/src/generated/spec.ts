// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "2b2314720bc7562e5e25cc593e99f8efc2520efc039b3d21ac959d51ac6997a5";
