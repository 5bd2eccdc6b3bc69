import { fileURLToPath } from "node:url"

const entries = ["live/page.ts", "archive/archive.ts", "styles/page.css", "styles/archive.css"]

/**
 * How esbuild builds the minified scripts and styles of all pages. Plain JavaScript, because a bundle of the services is built
 * with it before anything is installed that reads TypeScript.
 * @satisfies {import("esbuild").BuildOptions}
 */
export const pageBuild = {
  entryPoints: entries.map((entry) => fileURLToPath(new URL(entry, import.meta.url))),
  entryNames: "[name]",
  bundle: true,
  minify: true,
  format: /** @type {const} */ ("esm"),
  target: ["es2022"],
  logLevel: /** @type {const} */ ("silent"),
}
