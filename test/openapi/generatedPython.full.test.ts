/**
 * Generates Python models with a public generator from the document of a running server. The models and a customer's
 * program that uses them both type-check, and the program reads the server's responses. Needs mypy.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { InputData, JSONSchemaInput, quicktype } from "quicktype-core"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks } from "../fixtures/archiveStack.ts"
import type { Document } from "./documents.ts"

const mypy = inject("mypy")

/** The models that most programs need. Generating all models takes a minute. */
const models = ["Match", "MatchDetail", "Team", "Player", "Event", "Scoreboard", "LiveMatch"]

const program = `
import json
import sys
from typing import Any, List
from urllib.request import Request, urlopen

from models import Event, Match, MatchDetail, Player, Team


def get(path: str) -> Any:
    request = Request(sys.argv[1] + path, headers={"x-api-key": sys.argv[2]})
    with urlopen(request, timeout=20) as response:
        return json.load(response)["data"]


matches: List[Match] = [Match.from_dict(row) for row in get("/cs2/matches/recent")]
teams: List[Team] = [Team.from_dict(row) for row in get("/cs2/teams")]
players: List[Player] = [Player.from_dict(row) for row in get("/cs2/players")]
detail: MatchDetail = MatchDetail.from_dict(get("/cs2/matches/" + matches[0].id))
event: Event = Event.from_dict(get("/cs2/events/" + str(matches[0].event_id)))
winner: str = detail.teams.team1.name
wins: int = detail.head_to_head.team1_wins
print(json.dumps({
    "matches": len(matches),
    "teams": sorted(team.slug for team in teams),
    "players": len(players),
    "event": event.name,
    "ids": [detail.id, matches[0].id],
}))
`

const Outcome = Schema.fromJsonString(
  Schema.Struct({
    matches: Schema.Finite,
    teams: Schema.Array(Schema.String),
    players: Schema.Finite,
    event: Schema.String,
    ids: Schema.Array(Schema.String),
  }),
)

const run = promisify(execFile)

/** Returns the exit code and the output, also if the command fails. */
const runIn = (folder: string, command: string, args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    run(command, [...args], { cwd: folder, timeout: 120_000 }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (failed) => ({ code: 1, stdout: `${failed.stdout}${failed.stderr}` }),
    ),
  )

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-python-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
)

const pythonOf = async ({ components }: Document): Promise<string> => {
  const input = new JSONSchemaInput(undefined)
  await input.addSource({
    name: "models",
    uris: models.map((name) => `#/components/schemas/${name}`),
    schema: JSON.stringify({ components }),
  })
  const inputData = new InputData()
  inputData.addInput(input)
  // Times stay strings: parsing them would need a third-party library.
  const { lines } = await quicktype({ inputData, lang: "python", rendererOptions: { "python-version": "3.7" }, inferDateTimes: false })
  return lines.join("\n")
}

describe.skipIf(mypy === null)("Python models generated from openapi.json (need mypy)", () => {
  it.layer(archiveStacks(null).PGlite, { timeout: "60 seconds", excludeTestServices: true })("on the sample archive", (it) => {
    it.effect(
      "are typed, and parse the server's responses",
      () =>
        Effect.gen(function* () {
          const { url } = yield* ArchiveStack
          const folder = yield* temporaryFolder
          const document: Document = yield* Effect.promise(() => fetch(new URL("/openapi.json", url)).then((response) => response.json()))
          const python = yield* Effect.promise(() => pythonOf(document))
          for (const model of models) assert.match(python, new RegExp(`^class ${model}:$`, "m"))
          const write = (file: string, text: string) => Effect.promise(() => writeFile(join(folder, file), text))
          yield* write("models.py", python)
          yield* write("program.py", program)
          yield* write("wrong.py", program.replace("wins: int", "wins: str"))
          const check = (...args: ReadonlyArray<string>) => runIn(folder, mypy ?? "", ["--cache-dir", join(folder, "cache"), ...args])
          const generated = yield* check("--check-untyped-defs", "models.py")
          assert.strictEqual(generated.code, 0, generated.stdout)
          const strict = yield* check("--strict", "--follow-imports", "silent", "program.py")
          assert.strictEqual(strict.code, 0, strict.stdout)
          const wrong = yield* check("--strict", "--follow-imports", "silent", "wrong.py")
          assert.include(wrong.stdout, 'expression has type "int", variable has type "str"')

          const { code, stdout } = yield* runIn(folder, "python3", ["program.py", url, "mp_test_archive_pro"])
          assert.strictEqual(code, 0, stdout)
          const outcome = yield* Schema.decodeEffect(Outcome)(stdout)
          assert.isAbove(outcome.matches, 0)
          assert.isAbove(outcome.players, 0)
          assert.strictEqual(outcome.ids[0], outcome.ids[1])
          assert.include(outcome.teams, "alpha-wolves")
        }),
      180_000,
    )
  })
})
