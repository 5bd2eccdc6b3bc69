/**
 * Runs the commands and programs shown in README and docs against a fresh server. Each must exit successfully and
 * return data. Only the server's address and the ids in samples are replaced; ids are replaced by those the server
 * returned.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Schedule, Schema } from "effect"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"
import { type Command, codeBlocks, commandsOf } from "./codeBlocks.ts"
import { documents, readPage, root } from "./pages.ts"

const files = ["README.md", ...documents]
const blocks = files.flatMap((file) => codeBlocks(file, readPage(file)))
const commands = blocks.flatMap(commandsOf)
/** Receivers of webhooks wait for deliveries. `webhookPrograms.full.test.ts` runs them. */
const receivers = "docs/customers/webhooks-verify.md:"
const programs = blocks.filter(({ at, language }) => ["js", "ts", "python"].includes(language) && !at.startsWith(receivers))

/** Commands that are not run here, by the text they start with, and the reason. */
const notRun: ReadonlyArray<readonly [start: string, reason: string]> = [
  ["npm start", "starts the server that this test provides"],
  ["npm run cluster", "needs PostgreSQL and NATS; test/e2e/processes/cluster.full.test.ts starts it"],
  ["npm test", "runs this test"],
  ["npm run build:client", "test/clientPackage/clientPackage.full.test.ts builds the package, packs it and installs it"],
  ["npm pack ", "test/clientPackage/clientPackage.full.test.ts builds the package, packs it and installs it"],
  ["npm install ", "test/clientPackage/clientPackage.full.test.ts builds the package, packs it and installs it"],
  ["npm run bench -- ", "measures for minutes; test/load/lib/help.full.test.ts checks the flags of each benchmark"],
  ["npm run webhook-receiver -- ", "waits for deliveries; services/webhooks/test/receiver.test.ts sends some"],
  ["npm run transcripts -- check", "exits with 1 without weights; services/transcripts/test/check.full.test.ts runs it"],
  ["npm run simulate -- ", "takes minutes to hours; test/simulation runs seeds"],
  ["npm run import -- apex <", "is a synopsis with placeholders"],
  ["npm run import -- cod <", "is a synopsis with placeholders"],
  ["npm run import -- cs2 all ", "needs the folder of recorded data; test/e2e/import imports files"],
  ["npm run import -- cs2 <", "is a synopsis with placeholders"],
  ["npm run import -- tennis <", "is a synopsis with placeholders"],
  ["npm run replay -- <", "is a synopsis with placeholders"],
  ["npm run admin -- feed-tokens revoke <", "needs the id of a token that the reader created"],
  ["npm run admin -- tennis-players merge ", "needs a player twice; test/e2e/admin/tennisPlayers.full.test.ts merges them"],
  [
    "curl -H 'x-api-key: mp_dev_pro' -H 'content-type: application/json' -d '{\n  \"url\": \"https://www.tiktok.com",
    "needs a speech engine",
  ],
  ["curl -X POST http://localhost:8080/feed/v1/matches/<matchId>/aliases", "needs a match with a team of an unknown name"],
  ["curl -X POST http://localhost:8080/feed/v1/matches/<matchId>/end", "needs a match that the reader created"],
]

/** Commands that a document shows for their error response. */
const refused: ReadonlyArray<string> = ["curl -H 'x-api-key: nobody'"]

const reasonOf = ({ text }: Command) => notRun.find(([start]) => text.startsWith(start))?.[1]
const run = commands.filter((command) => reasonOf(command) === undefined)

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Calls `run` after `seconds` unless the returned function is called first. */
const later = (seconds: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, seconds * 1_000)
  return () => clearTimeout(timer)
}

/** Runs a command until it exits, has printed enough, or `seconds` have passed. The last two end it with code 0. */
const execute = (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly seconds: number },
  isEnough: (output: string) => boolean = () => false,
) =>
  Effect.callback<Ended>((resume) => {
    const child = spawn(command, [...args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    })
    let output = ""
    let errors = ""
    let stopped = false
    const stop = () => {
      stopped = true
      // Kills the process group, because npm and shells start child processes.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM")
    }
    const cancelStop = later(options.seconds, stop)
    child.stdout.on("data", (chunk) => {
      output += String(chunk)
      if (!stopped && isEnough(output)) stop()
    })
    child.stderr.on("data", (chunk) => {
      errors += String(chunk)
    })
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("close", (code) => {
      cancelStop()
      resume(Effect.succeed({ code: stopped ? 0 : code, output, errors }))
    })
    return Effect.sync(stop)
  })

/** Ids in the samples -> ids that the server returned, matched by the label of their line. */
const ids = new Map<string, string>()
const labelled = (text: string) => new Map(Array.from(text.matchAll(/^(key|account) +([0-9a-f-]{36})$/gm), ([, label, id]) => [label, id]))
const noteIds = (sample: string, output: string) => {
  const given = labelled(output)
  for (const [label, id] of labelled(sample)) {
    const actual = given.get(label)
    if (id !== undefined && actual !== undefined) ids.set(id, actual)
  }
}

const Json = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decodeJson = Schema.decodeUnknownOption(Json)

/**
 * Returns true for a list with rows and for a record that is not empty. If every field is a list, one must have rows.
 */
const hasData = (data: unknown): boolean => {
  if (Array.isArray(data)) return data.length > 0
  if (typeof data !== "object" || data === null) return false
  const parts = Object.values(data)
  return parts.length > 0 && (!parts.every((part) => Array.isArray(part)) || parts.some(hasData))
}

/**
 * Returns a problem if the output holds no data: the JSON of a response (after its head with `-i`), an SVG, events of a
 * stream, or text.
 */
const problemOf = ({ text }: Command, { code, errors, output }: Ended): string | undefined => {
  if (code !== 0) return `it exited with ${code}: ${errors}${output}`
  if (output.trim() === "") return `it printed nothing: ${errors}`
  if (!text.startsWith("curl")) return undefined
  if (text.includes(" -N ")) return /^data: ?\{/m.test(output) ? undefined : `no event arrived: ${output.slice(0, 500)}`
  const body = text.includes(" -i ") ? (output.split("\r\n\r\n")[1] ?? "") : output
  if (text.includes("/health")) return body.startsWith('{"status":"ok"') ? undefined : `the server is not healthy: ${body}`
  if (text.includes("format=svg")) return body.startsWith("<svg ") ? undefined : `the output is no SVG: ${output.slice(0, 500)}`
  const answer = decodeJson(body)
  if (answer._tag === "None") return `the output is not JSON: ${output.slice(0, 500)}`
  if (refused.some((start) => text.startsWith(start))) return "code" in answer.value ? undefined : `the response is not an error: ${body}`
  return answer.value["success"] === true && hasData(answer.value["data"]) ? undefined : `the response has no data: ${body.slice(0, 500)}`
}

/** Returns the program that runs a block of the language. The block is its last argument. */
const interpreterOf = (language: string): readonly [program: string, args: ReadonlyArray<string>] =>
  language === "python"
    ? ["python3", ["-c"]]
    : [
        process.execPath,
        ["--disable-warning=ExperimentalWarning", `--input-type=${language === "ts" ? "module-typescript" : "module"}`, "-e"],
      ]

/** Returns true when a stream has sent three events, which is enough to end it. */
const eventsEnough = (output: string) => (output.match(/^data:/gm)?.length ?? 0) >= 3

/** A file of tennis points with one match, which the first server wins with all points. */
const pointsFile = [
  "tny_name,tour,draw,server1,server2,winner,pbp,score",
  `Some Open,ATP,Main,One,Two,1,${Array.from({ length: 2 }, () => "SSSS;RRRR;SSSS;RRRR;SSSS;RRRR").join(".")},6-0 6-0`,
].join("\n")

/** Returns the command with the test's address, ids and flags. Recorded files are taken from `folder`. */
const prepared = ({ before, text }: Command, url: string, folder: string): string => {
  const flags = text.startsWith("npm run admin") || text.startsWith("npm run replay") ? ` --url ${url}` : ""
  const [, typed = text, comment = ""] = /^([^#]*?)(\s+#.*)?$/s.exec(text) ?? []
  const whole = `${before}${typed.replace(/^curl /, "curl -sS ").replace("--speed 10", "--speed max")}${flags}${comment}`
  const local = whole
    .replaceAll("http://localhost:8080", url)
    .replaceAll(/\b(?:match\.json|points\.csv)\.gz/g, (name) => join(folder, name))
  return [...ids].reduce((line, [sample, actual]) => line.replaceAll(sample, actual), local)
}

const PATIENCE = Schedule.spaced("2 seconds").pipe(Schedule.upTo({ duration: "150 seconds" }))

class NoData extends Schema.TaggedError<NoData>()("NoData", { command: Schema.String, problem: Schema.String }) {}

describe("code shown in documents", () => {
  it("each command that is not run exists in a document", () => {
    for (const [start] of notRun) {
      assert.isTrue(
        commands.some(({ text }) => text.startsWith(start)),
        `no document contains "${start}": remove it from the list`,
      )
    }
    for (const start of refused)
      assert.isTrue(
        run.some(({ text }) => text.startsWith(start)),
        start,
      )
    assert.isAbove(run.length, 15)
    assert.isAbove(programs.length, 3)
  })

  it("every block has a known language, and JSON samples are valid JSON", () => {
    assert.deepStrictEqual(
      new Set(blocks.map(({ language }) => language)),
      new Set(["sh", "js", "console", "", "ts", "tsx", "json", "python", "go", "mermaid"]),
    )
    for (const { at, language, text } of blocks) if (language === "json") assert.doesNotThrow(() => JSON.parse(text), at)
  })

  it.layer(Standalone.layer({ matches: 4, speed: 1, fresh: true, startWithin: "100 seconds" }), {
    timeout: "120 seconds",
    excludeTestServices: true,
  })("on a fresh server", (it) => {
    for (const command of run) {
      it.effect(
        `${command.at}: ${command.text.split("\n")[0]?.slice(0, 120)}`,
        () =>
          Effect.gen(function* () {
            const { url } = yield* Standalone
            const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped({ prefix: "matchpoint-documents-" })
            const write = (name: string, content: string | Uint8Array) =>
              Effect.flatMap(FileSystem.FileSystem, (fs) => fs.writeFile(join(folder, name), gzipSync(content)))
            yield* write("match.json.gz", readFileSync(join(root, "test/fixtures/cs2/analyzer.json")))
            yield* write("points.csv.gz", pointsFile)
            const line = prepared(command, url, folder)
            const isStream = command.text.includes(" -N ")
            const options = { cwd: root, env: { KEY: DEV_KEY, MATCHPOINT_DATA_DIRECTORY: folder }, seconds: isStream ? 20 : 60 }
            const attempt = Effect.gen(function* () {
              const ended = yield* execute("bash", ["-c", line], options, isStream ? eventsEnough : undefined)
              const problem = problemOf(command, ended)
              if (problem !== undefined) return yield* new NoData({ command: line, problem })
              return ended
            })
            // A new server may not have the requested data yet, so reads are retried. Commands run once.
            const { output } = yield* command.text.includes("-d ") || !command.text.startsWith("curl")
              ? attempt
              : Effect.retry(attempt, PATIENCE)
            noteIds(command.sample, output)
          }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)),
        180_000,
      )
    }

    for (const { at, language, text } of programs) {
      it.effect(
        `${at}: a program`,
        () =>
          Effect.gen(function* () {
            const { url } = yield* Standalone
            const local = text
              .replaceAll("http://localhost:8080", url)
              .replaceAll("https://api.example.com", url)
              .replaceAll("ws://localhost:8080", url.replace("http", "ws"))
            const [program, args] = interpreterOf(language)
            // Runs in the folder `test`, which can import all packages.
            const { code, errors, output } = yield* execute(
              program,
              [...args, local],
              { cwd: join(root, "test"), env: { MATCHPOINT_KEY: DEV_KEY }, seconds: 60 },
              (so) => so.split("\n").length > 6,
            )
            assert.strictEqual(code, 0, errors)
            assert.isAbove(output.trim().split("\n").length, 3, `${output}${errors}`)
            assert.notMatch(`${output}${errors}`, /Error\b/)
          }),
        90_000,
      )
    }
  })
})
