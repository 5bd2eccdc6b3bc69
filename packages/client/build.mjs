/**
 * Builds the npm package of the client: ECMAScript modules, declarations and source maps in `dist`, together with the
 * package.json that customers get. Run `npm run build:client`, then `npm pack` in `dist`. Publishes nothing.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { declarations } from "./build/declarations.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const source = join(root, "packages/client/src")

/**
 * Maximum size of the client after minification and gzip, in bytes: the most that it may add to a customer's bundle.
 */
const LIMIT_BYTES = 20_000

/**
 * Writes the package into the directory `dist`. Returns the size in bytes of the browser entry point after minification
 * and gzip.
 * @param {string} [dist]
 */
export async function buildClient(dist = join(root, "packages/client/dist")) {
  rmSync(dist, { recursive: true, force: true })
  await bundle(dist)
  for (const [file, text] of declarations(root)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    writeFileSync(join(dist, file), text)
  }
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`)
  writeFileSync(join(dist, "README.md"), withoutDeadLinks(readFileSync(join(root, "docs/customers/client.md"), "utf8")))
  return { bytes: await minifiedBytes() }
}

/**
 * Returns a page of the repository for readers who do not have the repository: links to other files become their text.
 * @param {string} markdown
 */
export function withoutDeadLinks(markdown) {
  return markdown
    .split(/(^```[\s\S]*?^```)/gm)
    .map((part) => (part.startsWith("```") ? part : part.replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)[^)\s]+\)/g, "$1")))
    .join("")
}

/** @param {string} dist */
async function bundle(dist) {
  const { metafile } = await build({
    entryPoints: [join(source, "client.ts"), join(source, "effect.ts")],
    outdir: dist,
    bundle: true,
    // This option moves code that both entry points share into a separate file.
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    sourcemap: true,
    external: ["effect", "effect/*"],
    metafile: true,
    absWorkingDir: root,
  })
  const outputs = Object.entries(metafile.outputs)
  const entry = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith("src/client.ts"))?.[0]
  const waiting = entry === undefined ? [] : [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { external, path } of metafile.outputs[file]?.imports ?? []) {
      if (external === true) throw new Error(`the browser entry imports ${path}`)
      waiting.push(path)
    }
  }
}

async function minifiedBytes() {
  const { outputFiles } = await build({
    entryPoints: [join(source, "client.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? "").length
  if (bytes > LIMIT_BYTES) throw new Error(`the browser entry has ${bytes} bytes after gzip; the limit is ${LIMIT_BYTES}`)
  return bytes
}

function manifest() {
  const own = JSON.parse(readFileSync(join(root, "packages/client/package.json"), "utf8"))
  const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
  const effect = /^ {2}effect: (\S+)$/m.exec(catalog)?.[1]
  return {
    name: own.name,
    version: own.version,
    description: "Client of Matchpoint: REST reads, live matches and verification of webhooks",
    license: "UNLICENSED",
    type: "module",
    sideEffects: false,
    engines: { node: ">=18" },
    exports: {
      ".": { types: "./types/client.d.ts", default: "./client.js" },
      "./effect": { types: "./effect-types/client/src/effect.d.ts", default: "./effect.js" },
      "./package.json": "./package.json",
    },
    peerDependencies: { effect: `^${effect}` },
    peerDependenciesMeta: { effect: { optional: true } },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { bytes } = await buildClient()
  process.stdout.write(`packages/client/dist is built; the browser entry has ${bytes} bytes after minification and gzip.\n`)
}
