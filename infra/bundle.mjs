/**
 * Bundles the programs of the services, each into one file and the files that it shares with others, because loading
 * 2,500 modules one by one takes seconds of CPU. It also contains the scripts of the web pages and the documents of the
 * API. A bundle is kept in `.data/bundle`, in a folder named by the content of the sources, so it is built once per
 * change. An image has a single one, in `bundle`. Plain JavaScript, because it is a step of the installation.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { promisify } from "node:util"
import { pageBuild } from "../services/web/src/pageBuild.mjs"
import { isImage, pinnedNode, root } from "./install.mjs"

const home = join(root, ".data", "bundle")
const ofImage = join(root, "bundle")
/** Bundles that are kept, so that a process which still runs finds the parts that it loads later. */
const KEPT = 3

const makeDocuments = "services/gateway/src/http/pages/reference/makeDocuments.ts"
/** Folder in a bundle with what the services would otherwise make when they start. From sources, they do. */
const PREPARED = "prepared"

/** Programs, and files that programs start as threads or processes of their own. */
export const entries = [
  "services/standalone/src/main.ts",
  "services/standalone/src/cluster/main.ts",
  "services/feed/src/main.ts",
  "services/gateway/src/main.ts",
  "services/match/src/main.ts",
  "services/transcripts/src/main.ts",
  "services/transcripts/src/worker.ts",
  "services/webhooks/src/main.ts",
  "services/feed/src/import.ts",
  "services/feed/src/replay.ts",
  "services/gateway/src/admin/cli/main.ts",
  "packages/cs2/src/feed/import/demos/parseDemo.ts",
  makeDocuments,
  "services/transcripts/src/engine/whisperNodeMain.ts",
  "packages/qr/src/drawing/drawingThread.ts",
  "packages/cs2/src/sample/seasonThread.ts",
  "packages/tennis/src/sample/tourThread.ts",
  "packages/cod/src/sample/leagueThread.ts",
  "packages/apex/src/sample/seriesThread.ts",
  "packages/store/src/database/EmbeddedWorker.ts",
  "packages/store/src/database/unpackDatabase.ts",
]

/**
 * Packages that are loaded from node_modules: those with native code or WebAssembly beside them, and undici, whose names
 * effect exports again, which gets lost if a CommonJS module is part of a bundle.
 */
const external = /^(uWebSockets\.js|undici$|@electric-sql\/|sharp$|zxing-wasm|@laihoe\/demoparser2|@fugood\/|esbuild$|pg-native$)/

/**
 * Returns the path of the bundled program. Builds the bundle first if there is none of these sources.
 * @param {string} program path of the source, relative to the root
 */
export async function bundled(program) {
  const folder = isImage ? ofImage : join(home, fingerprint())
  if (!existsSync(folder)) await buildOnce(folder)
  return join(folder, fileOf(program))
}

/** Builds the bundle of an image, with the Node of this process. */
export const bundleImage = () => build(ofImage, process.execPath)

/**
 * The builds that this process has begun, by folder.
 * @type {Map<string, Promise<void>>}
 */
const builds = new Map()

/** @param {string} folder */
function buildOnce(folder) {
  const begun = builds.get(folder)
  if (begun !== undefined) return begun
  process.stderr.write("Bundling the services (once per change of their sources) ...\n")
  const building = build(folder, pinnedNode()).then(removeOld)
  builds.set(folder, building)
  return building
}

/** @param {string} entry */
const nameOf = (entry) => entry.replace(/\.ts$/, "").replaceAll(/[/\\](src[/\\])?/g, ".")
/** @param {string} entry */
const fileOf = (entry) => `${nameOf(entry)}.js`

function fingerprint() {
  const hash = createHash("sha256")
  for (const file of ["pnpm-lock.yaml", join("infra", "bundle.mjs"), ...sources()]) {
    const path = join(root, file)
    if (existsSync(path)) hash.update(`\0${file}\0`).update(readFileSync(path))
  }
  return hash.digest("hex").slice(0, 16)
}

function sources() {
  const rooms = ["packages", "services"].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
  return rooms
    .filter((room) => existsSync(join(root, room, "src")))
    .flatMap((room) => readdirSync(join(root, room, "src"), { recursive: true, encoding: "utf8" }).map((file) => join(room, "src", file)))
    .filter((file) => /\.(ts|mjs|js|css)$/.test(file))
    .sort()
}

/**
 * @param {string} folder
 * @param {string} node path of the Node that makes the documents
 */
async function build(folder, node) {
  // Loaded here, because the installation has not finished when this module is loaded.
  const esbuild = await import("esbuild")
  // Two processes may build at the same time. Each writes a folder of its own, and the first one stays.
  const made = `${folder}.${process.pid}`
  mkdirSync(made, { recursive: true })
  try {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries(entries.map((entry) => [nameOf(entry), entry])),
      outdir: made,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node22",
      sourcemap: "linked",
      sourcesContent: false,
      logLevel: "error",
      // Packages in CommonJS form load modules of Node with `require`, which modules do not have.
      banner: { js: 'import { createRequire as makeRequire } from "node:module";const require = makeRequire(import.meta.url);' },
      plugins: [locations(made)],
    })
    await esbuild.build({ ...pageBuild, outdir: join(made, PREPARED, "pages") })
    const documents = await promisify(execFile)(node, [join(made, fileOf(makeDocuments))], {
      maxBuffer: 2 ** 26,
      timeout: 300_000,
    })
    writeFileSync(join(made, PREPARED, "documents.json"), documents.stdout)
    if (!existsSync(folder)) renameSync(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
    // Otherwise the process of esbuild would keep this one alive.
    await esbuild.stop()
  }
}

/**
 * Keeps paths right that are relative to a source file, although the code moves to another folder: those of entries
 * lead to their bundles, those of prepared files into the bundle, all others to the sources. Packages that stay
 * outside are found from the file that imports them.
 * @param {string} outdir
 * @returns {import("esbuild").Plugin}
 */
const locations = (outdir) => ({
  name: "locations",
  setup(build) {
    build.onLoad({ filter: /[/\\](packages|services)[/\\][^/\\]+[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8")
      return text.includes("import.meta") ? { contents: relocated(text, path, outdir), loader: "ts" } : null
    })
    build.onResolve({ filter: external }, async ({ kind, path, pluginData, resolveDir }) => {
      if (pluginData === "seen") return null
      const found = await build.resolve(path, { kind, resolveDir, pluginData: "seen" })
      // A package that is optional and missing fails where it is loaded.
      return found.errors.length > 0 ? { path, external: true } : { path: pathFrom(outdir, found.path), external: true }
    })
  },
})

/**
 * @param {string} text
 * @param {string} path of the source
 * @param {string} outdir
 */
function relocated(text, path, outdir) {
  /** @param {string} target */
  const urlOf = (target) => {
    const entry = relative(root, target).split(sep).join("/")
    return `new URL("${entries.includes(entry) ? `./${fileOf(entry)}` : pathFrom(outdir, target)}", import.meta.url)`
  }
  return text
    .replaceAll(/new URL\("([^"]+)", import\.meta\.url\)/g, (found, file) =>
      file.startsWith(`./${PREPARED}/`) ? found : urlOf(join(dirname(path), file)),
    )
    .replaceAll(/new URL\((\w+), import\.meta\.url\)/g, (_, name) => `new URL(${name}, ${urlOf(path)})`)
    .replaceAll("createRequire(import.meta.url)", `createRequire(${urlOf(path)})`)
    .replaceAll(/import\.meta\.resolve\("([^"]+)"\)/g, (_, name) => `${urlOf(createRequire(path).resolve(name))}.href`)
}

/**
 * @param {string} folder
 * @param {string} path
 */
const pathFrom = (folder, path) => relative(folder, path).split(sep).join("/") + (path.endsWith("/") ? "/" : "")

function removeOld() {
  // Names with a dot belong to processes that build.
  const bundles = readdirSync(home)
    .filter((name) => !name.includes("."))
    .map((name) => join(home, name))
  const newestFirst = bundles.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((one, other) => other.at - one.at)
  for (const { path } of newestFirst.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}
