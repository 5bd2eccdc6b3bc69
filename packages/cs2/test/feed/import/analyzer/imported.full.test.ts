/**
 * Imports the ten recorded matches into a database: all statistics arrive there, and a second import changes nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { addTally, nothingWritten } from "@matchpoint/game/feed/import/ImportSource"
import { Migrations } from "@matchpoint/games/Migrations"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { filesIn } from "@matchpoint/testing/recordedData"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { ArchiveWriter } from "../../../../src/archive/ArchiveWriter.ts"
import { analyzer } from "../../../../src/feed/import/analyzer/analyzer.ts"

const data = inject("dataDirectory")
const folder = `${data}/cs2/matches`

const database = ArchiveWriter.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(embeddedMemory))

const importAll = (files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let total = nothingWritten
    for (const name of files) {
      const batches = analyzer.batches({ name, path: `${folder}/${name}`, companions: new Map() }, 0)
      yield* Stream.runForEach(batches, ({ write }) =>
        Effect.map(write, (tally) => {
          total = addTally(total, tally)
        }),
      )
    }
    return total
  })

describe.skipIf(data === null)("recorded matches, imported", () => {
  it.live(
    "are complete, and unchanged by a second import",
    () =>
      Effect.gen(function* () {
        const files = filesIn(folder)
        assert.deepStrictEqual(yield* importAll(files), { created: 10, updated: 0, unchanged: 0 })
        const sql = yield* SqlClient.SqlClient
        const counts = sql`
        SELECT (SELECT count(*) FROM cs2_series)::int AS matches, (SELECT count(*) FROM cs2_teams)::int AS teams,
          (SELECT count(*) FROM cs2_player_games)::int AS lines, (SELECT sum(kills) FROM cs2_player_games)::int AS kills,
          (SELECT sum(damage) FROM cs2_player_games)::int AS damage, (SELECT count(*) FROM cs2_rounds)::int AS rounds,
          (SELECT count(*) FROM cs2_game_events WHERE type = 'Kill')::int AS kill_events,
          (SELECT sum(kills) FROM cs2_weapon_games)::int AS weapon_kills`
        const [once] = yield* counts
        // 10 files: 9 matches of ten players and one of four, two of whom never played.
        assert.deepInclude(once, { matches: 10, teams: 20, lines: 92, rounds: 173 })
        assert.deepStrictEqual(yield* importAll(files), { created: 0, updated: 0, unchanged: 10 })
        assert.deepStrictEqual((yield* counts)[0], once)
        assert.isAbove(Number(once?.["kill_events"]), Number(once?.["kills"]))
      }).pipe(Effect.provide(database)),
    120_000,
  )
})
