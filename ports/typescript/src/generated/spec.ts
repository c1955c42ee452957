// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "1719f5e683806c3076b07ed649e5a3a7500ec0c7f948b37a5a8204a4ace3fa61";
