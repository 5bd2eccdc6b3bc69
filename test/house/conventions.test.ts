/** Tests files that repeat parts of the code, and files that every package must have. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const packageFolders = ["packages", "services"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => existsSync(join(root, folder, name, "package.json")))
    .map((name) => `${folder}/${name}`),
)

describe("conventions", () => {
  it(".nvmrc names the major version of the pinned Node", () => {
    const major = /^ {2}node: (\d+)\./m.exec(read("pnpm-workspace.yaml"))?.[1]
    assert.strictEqual(read(".nvmrc").trim(), major)
  })

  it("package.json names the exact version of pnpm that the scripts run", () => {
    const { packageManager } = JSON.parse(read("package.json"))
    assert.match(packageManager, /^pnpm@\d+\.\d+\.\d+$/)
  })

  it.each(packageFolders)("%s has a README with responsibility, limits, entry points and tests", (packageFolder) => {
    const text = read(`${packageFolder}/README.md`)
    for (const part of ["- **Owns**: ", "- **Does not own**: ", "- **Entry points**: ", "- **Test**: "]) assert.include(text, part)
  })

  it("the workflow runs .ci/run, with actions pinned to commits", () => {
    const workflow = read(".github/workflows/ci.yml")
    assert.include(workflow, "run: .ci/run")
    for (const [line] of workflow.matchAll(/^.*uses:.*$/gm)) assert.match(line, /@[0-9a-f]{40} # v\d/)
  })

  it("no duration is measured with the wall clock, which may jump", () => {
    const forms = [
      /now: \(\) => clock\.currentTimeMillisUnsafe\(\)|const now = \(\) => clock\.currentTimeMillisUnsafe\(\)/,
      /(startedAt|begunAt|queriedAt|before) = (yield\* Clock\.currentTimeMillis|clock\.currentTimeMillisUnsafe\(\))/,
      /currentTimeMillis\) - \w*([sS]tartedAt|[bB]egunAt|queriedAt|before)\b/,
      /failures\.(waitOf|failed)\(.*currentTimeMillis|pace\.waitFor\(.*currentTimeMillis/,
    ]
    const found = packageFolders.flatMap((packageFolder) => {
      const folder = join(root, packageFolder, "src")
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) =>
          readFileSync(join(folder, file), "utf8")
            .split("\n")
            .flatMap((line) => (forms.some((form) => form.test(line)) ? `${packageFolder}/src/${file}: ${line.trim()}` : [])),
        )
    })
    assert.deepStrictEqual(found, [], "use packages/domain/src/monotonic.ts")
  })

  it("no repository compares an id as text, because such a comparison cannot use an index", () => {
    const folders = ["store", "cs2", "tennis", "cod", "apex"].map((name) => join(root, "packages", name, "src"))
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((file) => (file.endsWith(".ts") ? [join(folder, file)] : [])),
    )
    assert.isAbove(files.length, 100)
    const found = files.filter((file) => /_id::text\s*(=|IN\b)/.test(readFileSync(file, "utf8")))
    assert.deepStrictEqual(found, [])
  })
})
