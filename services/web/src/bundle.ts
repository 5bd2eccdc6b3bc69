/** Bundles the scripts and styles of the web pages with esbuild, once per process, at startup. */
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import type { OutputFile } from "esbuild"

export interface Asset {
  /** Name of the bundled file, for example `page.js`. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Error: the installation is incomplete, because the web pages cannot be bundled. */
export class PagesNotBundled extends Schema.TaggedError<PagesNotBundled>()("PagesNotBundled", { cause: Schema.Defect() }) {
  override get message(): string {
    return `the web pages cannot be bundled: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

const source = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Builds the minified scripts and styles of all pages. The work is done only once, because the result is cached. */
export const bundledAssets: Effect.Effect<ReadonlyArray<Asset>, PagesNotBundled> = Effect.suspend(() => {
  bundled ??= bundle()
  const assets = bundled
  return Effect.tryPromise({ try: () => assets, catch: (cause) => new PagesNotBundled({ cause }) })
})

let bundled: Promise<ReadonlyArray<Asset>> | undefined

const bundle = async (): Promise<ReadonlyArray<Asset>> => {
  const { build, stop } = await import("esbuild")
  try {
    const { outputFiles } = await build({
      entryPoints: ["live/page.ts", "archive/archive.ts", "styles/page.css", "styles/archive.css"].map(source),
      entryNames: "[name]",
      outdir: source("."),
      bundle: true,
      minify: true,
      format: "esm",
      target: ["es2022"],
      write: false,
      logLevel: "silent",
    })
    return outputFiles.map(assetOf)
  } finally {
    // Stops esbuild's child process, because it is no longer needed.
    await stop()
  }
}

const assetOf = ({ contents, path }: OutputFile): Asset => ({ name: path.split(/[\\/]/).at(-1) ?? path, bytes: contents })
