// biome-ignore-all lint/suspicious/noTemplateCurlyInString: fixtures are source code as text
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { checkDirections } from "../../infra/check/direction.mjs"
import { moduleReferences, scan } from "../../infra/check/source.mjs"

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "matchpoint-direction-"))
  for (const name of ["domain", "contracts", "bus", "store", "client"])
    write(`packages/${name}/package.json`, JSON.stringify({ name: `@matchpoint/${name}` }))
  for (const name of ["feed", "match", "standalone", "web"]) {
    write(`services/${name}/package.json`, JSON.stringify({ name: `@matchpoint/service-${name}` }))
  }
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** Returns `file:line rule` for each violation in a project in which `file` contains `text`. */
function violationsOf(file: string, text: string): ReadonlyArray<string> {
  write(file, text)
  return checkDirections(root).violations.map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

describe("allowed imports", () => {
  const allowed: ReadonlyArray<readonly [string, string]> = [
    ["packages/domain/src/Score.ts", 'import { Schema } from "effect"\nimport * as Arr from "effect/Array"\nimport { Id } from "./ids.ts"'],
    ["packages/contracts/src/bus/FeedEvent.ts", 'import { Id } from "@matchpoint/domain/ids"\nimport { Base } from "../Base.ts"'],
    [
      "packages/bus/src/FeedLogNats.ts",
      'import { connect } from "@nats-io/transport-node"\nimport { Id } from "@matchpoint/contracts/bus/FeedEvent"',
    ],
    [
      "packages/domain/test/Score.test.ts",
      'import { it } from "@effect/vitest"\nimport { readFileSync } from "node:fs"\nimport "../src/Score.ts"',
    ],
    ["services/feed/src/main.ts", 'import { FeedLog } from "@matchpoint/bus/FeedLog"\nconst port = process.env.PORT'],
    ["services/feed/src/FeedConfig.ts", "export const port = process.env.PORT"],
    ["services/standalone/src/main.ts", 'import { layer } from "@matchpoint/service-feed/Feed"'],
    ["packages/domain/src/Text.ts", 'export const help = "process.env.PORT, console.log" // console.log(process.env)'],
    [
      "packages/domain/src/Pattern.ts",
      'export const quote = /["\'`/]/\nexport const half = (a: number) => a / 2 / 1 // "\nexport const x = `a ${`b ${1}`} console.log(`',
    ],
  ]
  for (const [file, text] of allowed) it(file, () => assert.deepStrictEqual(violationsOf(file, text), []))
})

describe("violations", () => {
  const refused: ReadonlyArray<readonly [title: string, file: string, text: string, expected: string]> = [
    [
      "a package imports a service",
      "packages/bus/src/A.ts",
      'import { Effect } from "effect"\n\nimport { layer } from "@matchpoint/service-feed/Feed"',
      "packages/bus/src/A.ts:3 a package must not import a service: bus -> service-feed",
    ],
    [
      "a service imports a service",
      "services/feed/src/A.ts",
      'import type { Match } from "@matchpoint/service-match/Match"',
      "services/feed/src/A.ts:1 only service-standalone may import services: service-feed -> service-match",
    ],
    [
      "the web service looks behind the API",
      "services/web/src/A.ts",
      'import { Database } from "@matchpoint/store/Database"',
      "services/web/src/A.ts:1 service-web may import only client, contracts, not store",
    ],
    [
      "packages of one level import each other",
      "packages/bus/src/A.ts",
      'const store = () => import("@matchpoint/store/Store")',
      "packages/bus/src/A.ts:1 bus may import only contracts, domain, files, not store",
    ],
    [
      "an import against the direction, over several lines",
      "packages/domain/src/A.ts",
      'import {\n  type A,\n  B,\n} from "@matchpoint/contracts/A"',
      "packages/domain/src/A.ts:4 domain may import no other package, not contracts",
    ],
    [
      "a relative import of another package",
      "packages/bus/src/A.ts",
      'import "../../store/src/Store.ts"',
      "packages/bus/src/A.ts:1 a relative import leaves its package",
    ],
    [
      "contracts import a driver",
      "packages/contracts/src/A.ts",
      'import { connect } from "@nats-io/transport-node"',
      "packages/contracts/src/A.ts:1 contracts may import only these external packages: effect; not @nats-io/transport-node",
    ],
    [
      "the domain imports a node: module",
      "packages/domain/src/A.ts",
      'import { randomUUID } from "node:crypto"',
      "packages/domain/src/A.ts:1 domain must not import node: modules",
    ],
    [
      "a re-export across packages",
      "packages/contracts/src/A.ts",
      'export const a = 1\nexport * from "@matchpoint/domain/ids"',
      "packages/contracts/src/A.ts:2 re-exports @matchpoint/domain/ids of another package",
    ],
    [
      "a file name that does not describe the content",
      "packages/bus/src/utils.ts",
      "export {}",
      'packages/bus/src/utils.ts:1 "utils" does not describe the content',
    ],
    [
      "a package reads the environment",
      "packages/bus/src/A.ts",
      "export const a = 1\nexport const url = process.env.NATS_URL",
      "packages/bus/src/A.ts:2 the environment may be read only in *Config.ts and main.ts of services",
    ],
    [
      "a service imports env from node:process",
      "services/feed/src/A.ts",
      'import { env } from "node:process"',
      "services/feed/src/A.ts:1 the environment may be read only in *Config.ts and main.ts of services",
    ],
    [
      "a service writes to the console",
      "services/feed/src/A.ts",
      "console.log(`now ${`then ${1}`}`)",
      "services/feed/src/A.ts:1 packages and services must not write to the console",
    ],
    [
      "a package is missing from the table",
      "packages/extra/package.json",
      '{ "name": "@matchpoint/extra" }',
      "packages/extra/package.json:1 the package extra is missing from the table of directions",
    ],
  ]
  for (const [title, file, text, expected] of refused) it(title, () => assert.deepStrictEqual(violationsOf(file, text), [expected]))

  it("tests may import other packages only if their package.json declares them", () => {
    write("packages/bus/package.json", JSON.stringify({ name: "@matchpoint/bus", devDependencies: { "@matchpoint/store": "workspace:*" } }))
    assert.deepStrictEqual(violationsOf("packages/bus/test/A.test.ts", 'import { Store } from "@matchpoint/store/Store"'), [])
    assert.lengthOf(violationsOf("packages/bus/test/A.test.ts", 'import { Feed } from "@matchpoint/service-feed/Feed"'), 1)
  })
})

describe("the scanner", () => {
  const specifiersOf = (source: string) => moduleReferences(source, scan(source)).map(({ specifier }) => specifier)

  it("finds every form of reference", () => {
    const source = [
      'import a from "a"',
      "import type { B } from 'b'",
      'import "c"',
      'type D = import("d").D',
      'export { e } from "e"',
      'export * as f from "f"',
      'const g = await import("g")',
    ].join("\n")
    assert.deepStrictEqual(specifiersOf(source), ["a", "b", "c", "d", "e", "f", "g"])
  })

  it("ignores comments, strings, templates and regular expressions", () => {
    const source = [
      '// import a from "a"',
      '/* import b from "b" */',
      "const c = 'import c from \"c\"'",
      'const d = `import d from "d" ${"} import d2 from"}`',
      'const e = /import e from "e"/',
      'const f = Array.from("f")',
      'import g from "g"',
    ].join("\n")
    assert.deepStrictEqual(specifiersOf(source), ["g"])
  })
})

describe("games", () => {
  const generic = "services/feed/src/Intake.ts"
  const importing = 'import { cs2Rules } from "@matchpoint/domain/cs2/live/cs2Rules"'

  it("rejects generic code that imports from a game's folder, by either form of import", () => {
    assert.deepStrictEqual(violationsOf(generic, importing), [
      `${generic}:1 generic code imports from the folder of cs2: @matchpoint/domain/cs2/live/cs2Rules`,
    ])
    assert.deepStrictEqual(violationsOf(generic, 'import { fold } from "./cs2/fold.ts"'), [
      `${generic}:1 generic code imports from the folder of cs2: ./cs2/fold.ts`,
    ])
  })

  it("allows a game's own folder, composition roots and tests to import from it", () => {
    assert.deepStrictEqual(violationsOf("services/feed/src/cs2/intake.ts", importing), [])
    assert.deepStrictEqual(violationsOf("services/standalone/src/Standalone.ts", importing), [])
    assert.deepStrictEqual(violationsOf("services/feed/test/intake.test.ts", importing), [])
  })

  it("rejects imports from one game's folder to another's", () => {
    assert.deepStrictEqual(violationsOf("services/feed/src/tennis/intake.ts", importing), [
      "services/feed/src/tennis/intake.ts:1 tennis imports from the folder of cs2: @matchpoint/domain/cs2/live/cs2Rules",
    ])
  })
})
