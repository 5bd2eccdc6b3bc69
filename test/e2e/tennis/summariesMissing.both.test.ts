/**
 * Tests the answers of the tennis section after an import has written rows, and before their summaries are computed: the
 * health reports it, and no endpoint answers with an empty list or 404.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { deriveAll } from "@matchpoint/service-feed/import/derive"
import { tennisImports } from "@matchpoint/tennis/feed/import/tennisImports"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Layer, Schedule } from "effect"
import { KEY, Stack, stack } from "../../fixtures/stack.ts"
import { importTennis } from "../../fixtures/tennis/importTennis.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const players = ["player_id,name_first,name_last,hand,dob,ioc,height,wikidata_id", "1,Al,Able,R,19900102,USA,185,", "2,Bo,Baker,R,,FRA,,"]
const matches = [
  "tourney_id,tourney_name,surface,tourney_level,tourney_date,match_num,winner_id,winner_name,loser_id,loser_name,score,best_of,round",
  "2023-10,Somewhere,Clay,A,20230102,1,1,Al Able,2,Bo Baker,6-4 6-4,3,F",
]

const needSummaries = [
  "/players/atp_1",
  "/players",
  "/matches",
  "/h2h?player1_id=atp_1&player2_id=atp_2",
  "/tournaments/atp_2023-10/draw",
  "/rankings",
  "/leaderboards/aces",
  "/coverage",
  "/matches/atp-tour-2023-10-1/tournament-link",
]

const get = Effect.fnUntraced(function* (path: string) {
  const { url } = yield* Stack
  const { status, text } = yield* ask(`${url}/tennis${path}`, { "x-api-key": KEY })
  return { status, body: JSON.parse(text) }
})

onDatabaseOfRun((driver, database) => {
  layer(Layer.provideMerge(stack(EventLogMemory.layer({ streams }), database), NodeServices.layer), {
    timeout: "120 seconds",
    excludeTestServices: true,
  })(`tennis without summaries, ${driver}`, (it) => {
    it.effect("tells that they are missing and how to complete them, until they are computed", () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryDirectory, "archive")
        mkdirSync(folder)
        writeFileSync(join(folder, "atp_players.csv"), players.join("\n"))
        writeFileSync(join(folder, "atp_matches_2023.csv"), matches.join("\n"))
        yield* importTennis(folder)

        const health = (yield* get("/health")).body.data
        assert.deepInclude(health, { status: "summaries_missing", newest_match_date: null })
        assert.deepInclude(health.summaries, { state: "missing", steps_done: 0, steps: 0 })
        assert.include(health.summaries.message, "npm run import -- tennis <folder>")
        for (const path of needSummaries) {
          const { body, status } = yield* get(path)
          assert.deepStrictEqual([path, status, body.error?.code], [path, 503, "SERVICE_UNAVAILABLE"])
          assert.include(body.error.message, "npm run import -- tennis <folder>")
        }

        yield* deriveAll(tennisImports, () => Effect.void, false)
        // Gateways read the state every five seconds.
        const ready = yield* get("/health").pipe(
          Effect.repeat({ schedule: Schedule.spaced("500 millis"), until: ({ body }) => body.data.status === "ok", times: 40 }),
        )
        assert.deepInclude(ready.body.data.summaries, { state: "complete", message: null })
        for (const path of needSummaries) {
          const { status } = yield* get(path).pipe(
            Effect.repeat({ schedule: Schedule.spaced("500 millis"), until: (answer) => answer.status === 200, times: 20 }),
          )
          assert.deepStrictEqual([path, status], [path, 200])
        }
      }),
    )
  })
})
