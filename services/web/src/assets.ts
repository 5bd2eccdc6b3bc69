/** Scripts and styles of the web pages: those that the bundle contains. From sources, esbuild builds them once per process. */
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import type { OutputFile } from "esbuild"
import { pageBuild } from "./pageBuild.mjs"

export interface Asset {
  /** Name of the built file, for example `page.js`. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Error: the installation is incomplete, because the web pages cannot be built. */
export class PagesNotBuilt extends Schema.TaggedError<PagesNotBuilt>()("PagesNotBuilt", { cause: Schema.Defect() }) {
  override get message(): string {
    return `the web pages cannot be built: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

export const assets: Effect.Effect<ReadonlyArray<Asset>, PagesNotBuilt> = Effect.suspend(() => {
  found ??= prepared().then((ready) => ready ?? build())
  const promised = found
  return Effect.tryPromise({ try: () => promised, catch: (cause) => new PagesNotBuilt({ cause }) })
})

let found: Promise<ReadonlyArray<Asset>> | undefined

const preparedFolder = new URL("./prepared/pages/", import.meta.url)

/** The files in the bundle, or undefined if this is not a bundle. */
const prepared = async (): Promise<ReadonlyArray<Asset> | undefined> => {
  if (!existsSync(preparedFolder)) return undefined
  const names = await readdir(preparedFolder)
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(new URL(name, preparedFolder)) })))
}

const build = async (): Promise<ReadonlyArray<Asset>> => {
  const esbuild = await import("esbuild")
  try {
    const { outputFiles } = await esbuild.build({ ...pageBuild, outdir: "pages", write: false })
    return outputFiles.map(assetOf)
  } finally {
    // Stops esbuild's child process, because it is no longer needed.
    await esbuild.stop()
  }
}

const assetOf = ({ contents, path }: OutputFile): Asset => ({ name: path.split(/[\\/]/).at(-1) ?? path, bytes: contents })
