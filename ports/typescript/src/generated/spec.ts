// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "32f4a023a92407df35b4ef95dafb131b6c3b9d9cfca42456db4f8681bed39c4d";
