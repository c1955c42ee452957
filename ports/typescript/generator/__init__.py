"""The generator of the TypeScript SDK: the IR as JSON (docs/ir.md) -> src/generated/.

It imports nothing of `codegen`, so it shows what a generator of any port looks like. From the root
of the repository:

    python -m codegen ir | python -m ports.typescript.generator ports/typescript/src/generated

`__main__` reads and writes. `render` makes the text of every file, by the templates, which mirror what
they make. `types` says which types and names the IR becomes, `data` what the runtime must know of it,
`docs` what the comments say, and `syntax` how TypeScript is written. `names.json` lists the names that a spec
cannot give; `codegen` reads it, too, and refuses them.
"""
