/** Checks that bundled programs find what lies beside their sources. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { bundled, entries } from "../../infra/bundle.mjs"

const PATH = /new URL\("([^"]+)", import\.meta\.url\)|(?:from|import) ?\(?"(\.[^"]+)"/g

describe("the bundle", () => {
  it("contains every program", async () => {
    for (const entry of entries) expect(existsSync(await bundled(entry)), entry).toBe(true)
  })

  it("exports no names of a CommonJS module again, because they would get lost", async () => {
    const folder = dirname(await bundled("services/standalone/src/main.ts"))
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"))
    expect(scripts.filter((name) => readFileSync(join(folder, name), "utf8").includes("__reExport("))).toEqual([])
  })

  it("names only files that exist", async () => {
    const folder = dirname(await bundled("services/standalone/src/main.ts"))
    const missing: Array<string> = []
    let found = 0
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
      for (const [, url, imported] of readFileSync(join(folder, file), "utf8").matchAll(PATH)) {
        found += 1
        const path = url ?? imported ?? ""
        if (!existsSync(join(folder, path))) missing.push(`${file}: ${path}`)
      }
    }
    expect(missing).toEqual([])
    expect(found).toBeGreaterThan(100)
  })
})
