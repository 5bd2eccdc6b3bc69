/** The rules of `infra/directions.mjs` and `biome.json`: each is broken on purpose in a small project. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const packages = ["domain", "contracts", "files", "bus", "store", "client", "testing", "games", "extra"]
const games = ["game", "cs2", "tennis"]
const layers = ["rules", "contract", "archive", "feed"]
const services = ["feed", "match", "standalone", "web"]

/** A file, and the rules that it breaks. */
type Case = readonly [title: string, file: string, text: string, broken: ReadonlyArray<string>]

const imports: ReadonlyArray<Case> = [
  [
    "a pure package imports effect and itself",
    "packages/domain/src/Score.ts",
    'import { Schema } from "effect"\nimport * as Arr from "effect/Array"\nimport { a } from "./A.ts"\nimport "@matchpoint/domain/A"',
    [],
  ],
  [
    "imports along the direction, and of a driver",
    "packages/bus/src/Log.ts",
    'import "pg"\nimport "node:fs"\nimport "@matchpoint/contracts/A"\nimport "@matchpoint/files/A"',
    [],
  ],
  [
    "tests import what the source may not",
    "packages/domain/test/A.test.ts",
    'import "node:fs"\nimport "pg"\nimport "../src/A.ts"\nimport "@matchpoint/testing/A"',
    [],
  ],
  ["a service imports packages", "services/feed/src/main.ts", 'import "@matchpoint/bus/A"\nimport "@matchpoint/store/A"', []],
  ["standalone imports services", "services/standalone/src/main.ts", 'import "@matchpoint/service-feed/A"', []],
  ["text that looks like an import", "packages/domain/src/Text.ts", '// import "pg"\nexport const a = `import "pg"`', []],
  [
    "a package imports a service",
    "packages/bus/src/Service.ts",
    'import "@matchpoint/service-feed/A"',
    ["import-of-a-service: services/feed/src/A.ts"],
  ],
  [
    "a test of a package imports a service",
    "packages/bus/test/Service.test.ts",
    'import "@matchpoint/service-feed/A"',
    ["import-of-a-service: services/feed/src/A.ts"],
  ],
  [
    "a service imports a type of a service",
    "services/feed/src/Match.ts",
    'import type { a } from "@matchpoint/service-match/A"',
    ["import-of-a-service: services/match/src/A.ts"],
  ],
  [
    "the web service looks behind the API",
    "services/web/src/Store.ts",
    'import { type a } from "@matchpoint/store/A"',
    ["imports-of-the-web-service: packages/store/src/A.ts"],
  ],
  [
    "packages of one level import each other dynamically",
    "packages/bus/src/Store.ts",
    'const store = () => import("@matchpoint/store/A")',
    ["imports-of-bus: packages/store/src/A.ts"],
  ],
  [
    "an import against the direction that package.json does not declare",
    "packages/bus/src/Undeclared.ts",
    'import "@matchpoint/metering/A"',
    ["imports-of-bus: @matchpoint/metering/A", "undeclared-import: @matchpoint/metering/A"],
  ],
  [
    "a type against the direction",
    "packages/domain/src/Types.ts",
    'export const b = (c: ReadonlyArray<import("@matchpoint/contracts/A").A>) => c',
    ["imports-of-domain: packages/contracts/src/A.ts"],
  ],
  [
    "a service imports helpers of tests",
    "services/feed/src/Testing.ts",
    'import "@matchpoint/testing/A"',
    ["import-of-tests: packages/testing/src/A.ts"],
  ],
  [
    "a relative import of another package",
    "packages/bus/src/Relative.ts",
    'import "../../contracts/src/A.ts"',
    ["relative-import-of-another-package: packages/contracts/src/A.ts"],
  ],
  ["contracts import a driver", "packages/contracts/src/Driver.ts", 'import "pg"', ["imports-of-a-pure-package: node_modules/pg/index.js"]],
  [
    "the domain imports a node: module",
    "packages/domain/src/Random.ts",
    'import { randomUUID } from "node:crypto"',
    ["imports-of-a-pure-package: crypto"],
  ],
  [
    "a pure package imports what is not installed",
    "packages/domain/src/Missing.ts",
    'import "not-installed"',
    ["imports-of-a-pure-package: not-installed", "undeclared-import: not-installed"],
  ],
  [
    "a service imports a whole platform instead of one module",
    "services/match/src/Platform.ts",
    'import "@effect/platform-node"\nimport "@effect/platform-node/NodeRuntime"',
    ["import-of-a-whole-platform: node_modules/@effect/platform-node/dist/index.js"],
  ],
  [
    "an import that package.json does not declare",
    "packages/bus/src/Missing.ts",
    'import "not-installed"',
    ["undeclared-import: not-installed"],
  ],
  [
    "a file name that does not describe the content",
    "packages/bus/src/utils.ts",
    "export {}",
    ["file-name-without-meaning: packages/bus/src/utils.ts"],
  ],
  ["a package that is not listed", "packages/extra/src/Extra.ts", 'import "./A.ts"', ["package-not-listed: packages/extra/src/A.ts"]],
  [
    "a service imports a game",
    "services/feed/src/Intake.ts",
    'import "@matchpoint/cs2/feed/A"',
    ["import-of-a-game: packages/cs2/src/feed/A.ts"],
  ],
  [
    "the engine imports a game",
    "packages/store/src/Archive.ts",
    'import type { A } from "@matchpoint/cs2/archive/A"',
    ["import-of-a-game: packages/cs2/src/archive/A.ts", "imports-of-store: packages/cs2/src/archive/A.ts"],
  ],
  [
    "the engine imports the ports of games",
    "packages/bus/src/Game.ts",
    'import "@matchpoint/game/rules/A"',
    ["engine-imports-the-ports-of-games: packages/game/src/rules/A.ts", "imports-of-bus: packages/game/src/rules/A.ts"],
  ],
  [
    "a game imports another game",
    "packages/tennis/src/feed/Log.ts",
    'import "@matchpoint/cs2/feed/A"',
    ["game-imports-another-game: packages/cs2/src/feed/A.ts"],
  ],
  [
    "a game imports a service",
    "packages/cs2/src/edge/Hub.ts",
    'import "@matchpoint/service-feed/A"',
    ["import-of-a-service: services/feed/src/A.ts"],
  ],
  [
    "a game imports the list of games",
    "packages/cs2/src/edge/List.ts",
    'import "@matchpoint/games/A"',
    ["import-of-the-list-of-games: packages/games/src/A.ts"],
  ],
  [
    "the rules of a game import its archive, a driver and its contract",
    "packages/cs2/src/rules/fold.ts",
    'import "../archive/A.ts"\nimport "pg"\nimport "../contract/A.ts"',
    [
      "imports-of-a-pure-layer: node_modules/pg/index.js",
      "imports-of-a-pure-layer: packages/cs2/src/archive/A.ts",
      "rules-import-a-contract: packages/cs2/src/contract/A.ts",
    ],
  ],
  [
    "pages of a game import its archive and its rules",
    "packages/cs2/src/pages/page.ts",
    'import "../archive/A.ts"\nimport "../rules/A.ts"\nimport "../contract/A.ts"\nimport "@matchpoint/client/A"',
    ["imports-of-pages: packages/cs2/src/archive/A.ts", "imports-of-pages: packages/cs2/src/rules/A.ts"],
  ],
  [
    "the simulator of a game imports its archive",
    "packages/cs2/src/simulator/season.ts",
    'import "../archive/A.ts"\nimport "../rules/A.ts"',
    ["simulator-has-effects: packages/cs2/src/archive/A.ts"],
  ],
  [
    "a game imports the engine, the ports and itself",
    "packages/cs2/src/feed/intake.ts",
    'import "@matchpoint/store/A"\nimport "@matchpoint/game/rules/A"\nimport "../archive/A.ts"\nimport "@matchpoint/cs2/rules/A"',
    [],
  ],
  [
    "the list of games imports games",
    "packages/games/src/feeds.ts",
    'import "@matchpoint/cs2/feed/A"\nimport "@matchpoint/tennis/feed/A"',
    [],
  ],
  ["a service imports the list of games", "services/standalone/src/feeds.ts", 'import "@matchpoint/games/A"', []],
  ["a test of generic code imports a game", "services/feed/test/intake.test.ts", 'import "@matchpoint/cs2/rules/A"', []],
]

const sources: ReadonlyArray<Case> = [
  [
    "a list is passed as arguments of push",
    "services/gateway/src/lists.ts",
    "export const f = (a: Array<number>, b: Array<number>, c: object) => [\n  a.push(...b),\n  a.push(1, [...b].length),\n  [c].push({ ...c }),\n]",
    ["plugin: 2"],
  ],
  ["a main.ts reads the environment", "services/match/src/main.ts", "export const port = process.env.PORT", []],
  ["a Config reads the environment", "services/match/src/MatchConfig.ts", "export const port = process.env.PORT", []],
  ["a test in test/ reads the environment", "test/setup/services.ts", "export const url = process.env.NATS_URL", []],
  [
    "a package reads the environment",
    "packages/bus/src/Env.ts",
    'export const url = process.env.NATS_URL\nexport const { A } = process.env\nexport const b = process?.env["B"]',
    ["lint/style/noProcessEnv: 1", "lint/style/noProcessEnv: 2", "lint/style/noProcessEnv: 3"],
  ],
  [
    "a service imports the environment",
    "services/feed/src/Env.ts",
    'import { env } from "node:process"\nexport const url = env.NATS_URL',
    ["lint/style/noRestrictedImports: 1", "lint/style/noProcessEnv: 2"],
  ],
  [
    "a file re-exports another package",
    "packages/contracts/src/Exports.ts",
    'import { a } from "@matchpoint/domain/A"\nexport * from "@matchpoint/domain/A"\nexport type { A } from "@matchpoint/domain/A"\nexport const b = a',
    ["plugin: 2", "plugin: 3"],
  ],
  ["a file re-exports its own package", "packages/contracts/src/Own.ts", 'export { a } from "./A.ts"', []],
  [
    "a service measures a duration by the wall clock",
    "services/feed/src/Since.ts",
    "export const since = (startedAt: number) =>\n  Date.now() - startedAt",
    ["plugin: 2"],
  ],
  ["a service writes to the console", "services/feed/src/Print.ts", "export const a = 1\nconsole.log(a)", ["lint/suspicious/noConsole: 2"]],
]

let project: string
let violations: ReadonlyArray<{ readonly from: string; readonly to: string; readonly rule: { readonly name: string } }>
let diagnostics: ReadonlyArray<{ readonly file: string; readonly text: string }>

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "matchpoint-directions-"))
  for (const name of packages) room(`packages/${name}`, name)
  for (const name of services) room(`services/${name}`, `service-${name}`)
  for (const name of ["effect", "pg"]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, exports: { ".": "./index.js", "./*": "./index.js" } }))
    write(`node_modules/${name}/index.js`, "")
  }
  write("node_modules/@effect/platform-node/package.json", JSON.stringify({ exports: { ".": "./dist/index.js", "./*": "./dist/*.js" } }))
  for (const name of ["index", "NodeRuntime"]) write(`node_modules/@effect/platform-node/dist/${name}.js`, "")
  for (const name of games) {
    room(`packages/${name}`, name)
    for (const layer of layers) write(`packages/${name}/src/${layer}/A.ts`, "export const a = 1\nexport type A = number")
  }
  for (const [, file, text] of [...imports, ...sources]) write(file, text)
  for (const file of ["biome.json", "infra/reExport.grit", "infra/spreadArguments.grit", "infra/wallClock.grit"])
    cpSync(join(root, file), join(project, file))
  const cruiser = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs")
  const rules = join(root, "infra/directions.mjs")
  violations = JSON.parse(run(cruiser, "--config", rules, "--output-type", "json", "packages", "services", "test")).summary.violations
  const lint = run(join(root, "node_modules/@biomejs/biome/bin/biome"), "lint", "--reporter=github", "--max-diagnostics=none")
  diagnostics = [...lint.matchAll(/title=([^,]+),file=([^,]+),line=(\d+)/g)].map(([, rule, file, line]) => ({
    file: String(file).replace(`${project}/`, ""),
    text: `${rule}: ${line}`,
  }))
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true })
  writeFileSync(join(project, file), text)
}

/** Creates a package with one file, `src/A.ts`, which every other package can import. */
function room(folder: string, name: string): void {
  write(`${folder}/package.json`, JSON.stringify({ name: `@matchpoint/${name}`, exports: { "./*": "./src/*.ts" } }))
  write(`${folder}/src/A.ts`, "export const a = 1\nexport type A = number")
  mkdirSync(join(project, "node_modules/@matchpoint"), { recursive: true })
  symlinkSync(join(project, folder), join(project, "node_modules/@matchpoint", name))
}

function run(script: string, ...args: ReadonlyArray<string>): string {
  const { stderr, stdout } = spawnSync(process.execPath, [script, ...args], { cwd: project, encoding: "utf8" })
  if (stdout === "") throw new Error(stderr)
  return stdout
}

describe("imports", () => {
  it.each(imports)("%s", (_, file, __, broken) => {
    const found = violations.filter(({ from }) => from === file).map(({ rule, to }) => `${rule.name}: ${to}`)
    assert.deepStrictEqual(found, broken)
  })

  it("the rest of the project breaks no rule", () => {
    const known = imports.map(([, file]) => file)
    assert.deepStrictEqual(
      violations.filter(({ from }) => !known.includes(from)),
      [],
    )
  })
})

describe("the environment, the console and re-exports", () => {
  const rules = ["noProcessEnv", "noRestrictedImports", "noConsole", "plugin"]

  it.each(sources)("%s", (_, file, __, broken) => {
    const found = diagnostics.filter((one) => one.file === file && rules.some((rule) => one.text.includes(rule))).map(({ text }) => text)
    assert.deepStrictEqual(found, broken)
  })
})
