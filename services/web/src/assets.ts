/** Scripts and styles of the web pages. A bundle contains them; from sources, esbuild builds them once per process. */
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import type { OutputFile } from "esbuild"
import { pageBuild } from "./pageBuild.mjs"

export interface Asset {
  /** A name such as `page.js`. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** The installation is incomplete. */
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

/** Undefined if this is not a bundle. */
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
    // Ends esbuild's child process.
    await esbuild.stop()
  }
}

const assetOf = ({ contents, path }: OutputFile): Asset => ({ name: path.split(/[\\/]/).at(-1) ?? path, bytes: contents })
