/** The bundled scripts of the pages: browsers load no code of the server and no library of it. */
import { assert, it } from "@effect/vitest"
import { build } from "esbuild"
import { pageBuild } from "../src/pageBuild.mjs"

it("bundles of pages have no effect, pg or node: module, and code of games from their pages only", async () => {
  const { metafile } = await build({ ...pageBuild, outdir: "pages", write: false, metafile: true })
  const inputs = Object.keys(metafile.inputs)
  assert.isAbove(inputs.length, 100)
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  assert.deepStrictEqual(
    [...inputs, ...imported].filter((path) => /node_modules|^node:/.test(path)),
    [],
  )
  const layers = inputs.flatMap((path) => /packages\/(?:cs2|tennis|cod|apex|game)\/src\/(\w+)\//.exec(path)?.[1] ?? [])
  assert.sameMembers([...new Set(layers)], ["pages"])
})
