/**
 * Deletes a game from a copy of the product: its package, and its lines in `packages/games` and in the types of the client. The
 * rest passes the type check, starts on an empty database and serves the other games. CS2 is not among them, because the
 * channels of all games are described by its contract.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { freePort } from "@matchpoint/testing/freePorts"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Files that have a line per game. */
const lists = ["packages/games/src/**/*.ts", "packages/client/src/{games,client,effect}.ts"]

/** Copies the sources of packages and services, with their links to dependencies, without the package of the game. */
const copyWithout = (game: string, copy: string): void => {
  for (const folder of globSync("{packages,services}/*", { cwd: root })) {
    if (folder === join("packages", game) || !existsSync(join(root, folder, "package.json"))) continue
    for (const part of ["src", "package.json", "node_modules"]) {
      const from = join(root, folder, part)
      if (existsSync(from)) cpSync(from, join(copy, folder, part), { recursive: true, verbatimSymlinks: true })
    }
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  const options = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"))
  writeFileSync(
    join(copy, "tsconfig.json"),
    JSON.stringify({ ...options, include: ["packages/*/src", "services/*/src"], exclude: ["packages/testing"] }),
  )
  mkdirSync(join(copy, "infra"), { recursive: true })
  for (const file of globSync("infra/*.mjs", { cwd: root })) cpSync(join(root, file), join(copy, file))
}

/** Deletes the lines of a game: its imports, and each use of what they import as an element, an argument or a field. */
const withoutLinesOf = (text: string, game: string, names: ReadonlySet<string>): string => {
  const source = `(?:// biome-ignore[^\\n]*\\n)?(?:import|export) (?:type )?\\{[^}]*\\} from "@matchpoint/${game}/[^"]*"\\n`
  let rest = text.replaceAll(new RegExp(source, "g"), "")
  for (const name of names) {
    for (const use of [
      `\\s*\\.addHttpApi\\(${name}\\)`,
      `\\n\\s*\\| GroupsOf<typeof ${name}>`,
      `\\n\\s*readonly \\w+: ${name}(?=\\n)`,
      `\\n\\s*liveSection\\(${name}\\),`,
      `\\b${name}(?:\\.layer(?:\\([^()]*\\))?)?,\\s*`,
      `,\\s*${name}(?:\\.layer)?(?=\\s*[\\])])`,
      `(?<=\\[)${name}(?=\\])`,
    ])
      rest = rest.replaceAll(new RegExp(use, "g"), "")
  }
  return rest
}

const namesOf = (text: string, game: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(new RegExp(`(?:import|export) (?:type )?\\{([^}]*)\\} from "@matchpoint/${game}/`, "g"))).flatMap(
    ([, list = ""]) =>
      list
        .split(",")
        .map((name) => name.replace("type ", "").trim())
        .filter((name) => name !== ""),
  )

const deleteLines = (game: string, copy: string): void => {
  const files = lists.flatMap((pattern) => globSync(pattern, { cwd: copy })).map((file) => join(copy, file))
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]))
  const names = new Set([...texts.values()].flatMap((text) => namesOf(text, game)))
  assert.isAbove(names.size, 15)
  for (const [file, text] of texts) writeFileSync(file, withoutLinesOf(text, game, names))
  for (const file of globSync("packages/games/src/styles/*.css", { cwd: copy })) {
    const text = readFileSync(join(copy, file), "utf8")
    writeFileSync(join(copy, file), text.replaceAll(new RegExp(`@import "@matchpoint/${game}/.*\n`, "g"), ""))
  }
}

const checkTypes = (copy: string): void => {
  const tsgo = join(root, "node_modules/@effect/tsgo/dist/effect-tsgo.cjs")
  const program = spawnSync(process.execPath, [tsgo, "get-exe-path"], { encoding: "utf8" }).stdout.trim()
  const { status, stdout } = spawnSync(program, ["-p", join(copy, "tsconfig.json"), "--checkers", "2"], { cwd: copy, encoding: "utf8" })
  assert.strictEqual(status, 0, stdout)
}

const stopped = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGINT")
  })

/** Starts the server of the copy from its sources. Returns a function that requests a path and returns the status. */
const startServer = Effect.fnUntraced(function* (copy: string) {
  const port = yield* freePort
  const output: Array<string> = []
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [join(copy, "services/standalone/src/main.ts")], {
        env: {
          PORT: String(port),
          HOST: "127.0.0.1",
          MATCHPOINT_DATA_DIRECTORY: join(copy, "data"),
          MATCHPOINT_SIMULATED_MATCHES: "1",
        },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    ),
    stopped,
  )
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)))
  const status = (path: string) =>
    Effect.tryPromise(async (signal) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": "mp_dev_pro" }, signal })
      await response.arrayBuffer()
      return response.status
    }).pipe(Effect.timeout("10 seconds"))
  yield* status("/api/v1/live").pipe(
    Effect.filterOrFail(
      (found) => found === 200,
      (found) => `status ${found}` as const,
    ),
    Effect.retry({ schedule: Schedule.spaced("200 millis"), while: () => child.exitCode === null }),
    Effect.timeout("90 seconds"),
    Effect.catch((cause) => Effect.die(new Error(`the server does not answer:\n${output.join("")}`, { cause }))),
  )
  return status
})

/** A path of each game. */
const paths: Readonly<Record<string, string>> = {
  cs2: "/api/v1/cs2/live",
  tennis: "/api/v1/tennis/matches/live",
  cod: "/api/v1/cod/live",
  apex: "/api/v1/apex/algs/live",
}

describe("a product without a game", () => {
  it.live.each(["tennis", "cod", "apex"])(
    "%s: passes the type check, starts on an empty database and serves the others",
    (deleted) =>
      Effect.acquireUseRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), `matchpoint-without-${deleted}-`))),
        (copy) =>
          Effect.gen(function* () {
            copyWithout(deleted, copy)
            deleteLines(deleted, copy)
            checkTypes(copy)
            yield* Effect.scoped(
              Effect.gen(function* () {
                const status = yield* startServer(copy)
                for (const [game, path] of Object.entries(paths))
                  assert.strictEqual(yield* status(path), game === deleted ? 404 : 200, path)
                assert.strictEqual(yield* status("/openapi.json"), 200)
                assert.strictEqual(yield* status("/"), 200)
              }),
            )
            const tables = Effect.flatMap(
              SqlClient.SqlClient,
              (sql) => sql<{ readonly game: string }>`
                SELECT DISTINCT split_part(tablename, '_', 1) AS game FROM pg_tables WHERE tablename ~ '^(cs2|tennis|cod|apex)_' ORDER BY 1`,
            )
            const found = yield* Effect.provide(tables, Embedded.layer({ directory: join(copy, "data", "database") }))
            assert.deepStrictEqual(
              found.map(({ game }) => game),
              Object.keys(paths)
                .filter((game) => game !== deleted)
                .sort(),
            )
          }),
        (copy) => Effect.sync(() => rmSync(copy, { recursive: true, force: true })),
      ),
    180_000,
  )
})
