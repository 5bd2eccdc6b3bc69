/**
 * Tests a real server whose log, or FEED alone, is deleted between two runs while the database stays. Matches that
 * cannot continue are ended and logged; all others survive. The rule itself is tested in
 * services/match/test/LostMatches.test.ts.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { MatchId } from "@matchpoint/domain/ids"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Clock, DateTime, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const FEED_TOKEN = "a-feed-token-of-this-test"
const databaseUrl = inject("databaseUrl")

const decodeRegistered = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ matchId: MatchId }) }))
const decodeReceipt = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Struct({ accepted: Schema.Natural }) }))

const post = Effect.fnUntraced(function* (path: string, body: unknown) {
  const { url } = yield* Standalone
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}/feed/v1${path}`, {
      method: "POST",
      headers: { "x-feed-token": FEED_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    assert.strictEqual(answer.status, 200, text)
    return JSON.parse(text)
  })
})

const register = (team1: string, team2: string, startsAt?: string) =>
  Effect.map(
    post("/matches", { bestOf: 1, teams: [{ name: team1 }, { name: team2 }], ...(startsAt === undefined ? {} : { startsAt }) }),
    (answer) => decodeRegistered(answer).data.matchId,
  )

interface Row {
  readonly number: number
  readonly status: string
  readonly team: string
}

const rows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Row>`SELECT match_number::integer AS number, status, team1_id AS team FROM matches WHERE game = 'cs2' ORDER BY match_number`,
)

const rowOf = (id: MatchId) => Effect.map(rows, (all) => all.find(({ number }) => matchId(number) === id) ?? assert.fail(id))

/** Fails with the server's output if the condition does not hold within the time. */
const within = <A, E, R>(seconds: number, what: string, waiting: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(waiting, {
    duration: seconds * 1_000,
    orElse: () =>
      Effect.flatMap(Effect.all([Effect.flatMap(Standalone, ({ output }) => output), rows]), ([printed, found]) =>
        Effect.die(new Error(`${what}: not within ${seconds} s: ${JSON.stringify(found)}\n${printed}`)),
      ),
  })

/** Waits until the register holds the status. */
const untilStatus = (id: MatchId, status: string, seconds = 20) =>
  within(
    seconds,
    `${id} becomes ${status}`,
    Effect.repeat(rowOf(id), { until: (row) => row.status === status, schedule: Schedule.spaced("100 millis") }),
  )

/** Starts the first map of the match. Returns the number of accepted facts. */
const begin = Effect.fnUntraced(function* (id: MatchId, key: string) {
  const { team } = yield* rowOf(id)
  const payload = { mapNumber: 1, mapName: "de_nuke", ctTeamId: team }
  const observedAt = Math.floor(yield* Clock.currentTimeMillis)
  const answer = yield* post(`/matches/${id}/events`, [{ id: key, type: "MapStarted", observedAt, payload }])
  return decodeReceipt(answer).data.accepted
})

const dataDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-lost-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 5 })),
)

// At the same time, because each waits for half a minute.
describe.skipIf(databaseUrl === null).concurrent("a log that was deleted", () => {
  for (const [name, deleted] of [
    ["the whole log", "log"],
    ["FEED alone", "log/FEED"],
  ] as const) {
    it.live(
      `${name}: matches that cannot continue are ended; registered and upcoming ones survive`,
      () =>
        Effect.gen(function* () {
          const directory = yield* dataDirectory
          const database = yield* temporaryDatabase(databaseUrl ?? "")
          const env = {
            DATABASE_URL: Redacted.value(database),
            MATCHPOINT_DATA_DIRECTORY: directory,
            MATCHPOINT_FEED_TOKEN: FEED_TOKEN,
          }
          yield* Effect.gen(function* () {
            const server = yield* Standalone
            const [simulated] = yield* Effect.repeat(rows, { until: (all) => all.some(({ status }) => status === "live") }).pipe(
              Effect.map((all) => all.filter(({ status }) => status === "live")),
              Effect.timeout("20 seconds"),
            )
            const lost = matchId(simulated?.number ?? assert.fail("no match is simulated"))
            // Waits until FEED has been used, so that its positions are beyond those a new FEED reaches soon.
            const sql = yield* SqlClient.SqlClient
            const isFar = sql`SELECT match_id FROM match_checkpoints WHERE match_id = ${lost} AND feed_sequence > 60`
            yield* within(
              60,
              "FEED is in use",
              Effect.repeat(isFar, { until: (found) => found.length > 0, schedule: Schedule.spaced("100 millis") }),
            )
            const registered = yield* register("North", "South")
            const upcoming = yield* register("East", "West", DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 })))
            const played = yield* register("Up", "Down")
            const begun = yield* register("Left", "Right")
            for (const id of [played, begun]) {
              assert.strictEqual(yield* begin(id, `${id}:begins`), 1)
              yield* untilStatus(id, "live")
            }
            // Checkpoints are saved when the process ends.
            yield* server.stop
            yield* sql`DELETE FROM match_checkpoints WHERE match_id = ${begun}`
            yield* Effect.promise(() => rm(join(directory, deleted), { recursive: true }))
            const printedBefore = (yield* server.output).length

            yield* server.start
            yield* untilStatus(begun, "cancelled")
            for (const line of [
              `${begun}: the log has lost its facts and there is no checkpoint; .* ended as cancelled`,
              // Lines of one kind are summarised, so the match in the line may be any of them.
              `(?:cs2|tennis|cod|apex)-match-\\d+: (the log has lost .*|FEED ends at .* starting epoch 2)`,
              `${lost}: FEED has lost its facts; the simulated match .* is cancelled`,
            ]) {
              const isPrinted = (printed: string) => new RegExp(line).test(printed.slice(printedBefore))
              yield* within(20, line, Effect.repeat(server.output, { until: isPrinted, schedule: Schedule.spaced("100 millis") }))
            }
            // A match accepts late facts for 30 seconds after its end.
            yield* untilStatus(lost, "cancelled", 60)

            for (const id of [registered, upcoming]) assert.strictEqual((yield* rowOf(id)).status, "scheduled")
            assert.strictEqual((yield* rowOf(played)).status, "live")
            for (const id of [registered, upcoming]) {
              assert.strictEqual(yield* begin(id, `${id}:begins`), 1)
              yield* untilStatus(id, "live")
            }
          }).pipe(
            Effect.provide(
              Layer.merge(Standalone.layer({ matches: 1, speed: 10, env }), Postgres.layer({ url: database, maxConnections: 1 })),
            ),
          )
        }),
      240_000,
    )
  }
})
