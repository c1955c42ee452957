// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

/** SHA-256 of what this package was generated from. */
export const SPEC_SHA256 = "9c302098abc54d4d84301ffc2d024103a27c9a53946bd2981b4f93659cf47601";
