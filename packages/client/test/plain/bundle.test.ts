/** The weight of the client in a customer's bundle, and that Effect is not a part of it. */
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { build } from "esbuild"

const entry = fileURLToPath(new URL("../../src/client.ts", import.meta.url))

it("a minified bundle has at most 20 KB after gzip, and no Effect in it", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length
  assert.isAbove(bytes, 1_000)
  assert.isAtMost(bytes, 20_000)
  assert.isEmpty(Object.keys(metafile.inputs).filter((input) => /node_modules/.test(input)))
})
