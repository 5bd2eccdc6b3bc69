/**
 * Searches players of the recorded archive by texts that followers type. Imports all players, the last rounds
 * of all tournaments of the main tours, and the first hundred of the rankings since 2020. The careers are known well
 * enough from these.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Array as Arr, Effect, Layer } from "effect"
import { describe, inject, it } from "vitest"
import { PlayerDirectory } from "../../src/archive/players/PlayerDirectory.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchive } from "../../src/archive/TennisArchive.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { matchReader, playerReader, rankingReader, type Tour } from "../../src/rules/archive/archiveRows.ts"
import { importTennisFiles, type TennisFile } from "./fixtures/tennisFiles.ts"
import { followerQueries } from "./followerQueries.ts"

/** Lines of a file per statement. */
const BATCH = 10_000

/** Reads a file, and keeps the lines for which the cells of a column fit and which an import would not reject. */
const fileOf = (
  tour: Tour,
  kind: TennisFile["kind"],
  path: string,
  column: string,
  fits: (cell: string) => boolean,
): ReadonlyArray<TennisFile> => {
  const [header = "", ...lines] = gunzipSync(readFileSync(path)).toString("utf8").split(/\r?\n/u)
  const at = header.split(",").indexOf(column)
  const reader = readerOf(tour, kind, header)
  if (typeof reader === "string") throw new Error(`${path} has no column ${reader}`)
  const kept = lines.filter((line) => line !== "" && fits(line.split(",")[at] ?? "") && typeof reader(line) !== "string")
  return Arr.chunksOf(kept, BATCH).map((batch) => ({ tour, kind, lines: [header, ...batch] }))
}

const readerOf = (tour: Tour, kind: TennisFile["kind"], header: string) => {
  if (kind === "players") return playerReader(header, tour)
  return kind === "rankings" ? rankingReader(header, tour) : matchReader(header, tour, kind)
}

const LAST_ROUNDS = new Set(["F", "SF", "QF"])

const filesIn = (data: string): ReadonlyArray<TennisFile> =>
  (["atp", "wta"] as const).flatMap((tour) => [
    ...fileOf(tour, "players", join(data, tour, `${tour}_players.csv.gz`), "player_id", () => true),
    ...readdirSync(join(data, tour))
      .filter((name) => /^..._matches_\d{4}\.csv\.gz$/u.test(name))
      .flatMap((name) => fileOf(tour, "tour", join(data, tour, name), "round", (round) => LAST_ROUNDS.has(round))),
    ...["20s", "current"].flatMap((name) =>
      fileOf(tour, "rankings", join(data, "rankings", `${tour}_rankings_${name}.csv.gz`), "rank", (rank) => Number(rank) <= 100),
    ),
  ])

const databaseUrl = inject("databaseUrl")
const dataDirectory = inject("dataDirectory")
if (databaseUrl === null || dataDirectory === null) {
  describe("followers' searches of tennis players", () =>
    it.skip("need a PostgreSQL server and the recorded data: set DATABASE_URL and MATCHPOINT_DATA", () => undefined))
} else {
  const archive = Layer.effectDiscard(Effect.suspend(() => importTennisFiles(filesIn(join(dataDirectory, "tennis"))))).pipe(
    Layer.provideMerge(Layer.mergeAll(TennisArchive.layer, TennisSummaries.layer, TennisArchiveWriter.layer)),
    Layer.provideMerge(Migrations.layer),
    Layer.provideMerge(
      Layer.unwrap(Effect.map(temporaryDatabase(databaseUrl), (url) => Postgres.layer({ url, statementTimeout: "2 minutes" }))),
    ),
  )
  layer(archive, { timeout: "5 minutes", excludeTestServices: true })("followers' searches of tennis players", (it) => {
    it.effect("find the player that is meant", () =>
      Effect.gen(function* () {
        const { search } = yield* PlayerDirectory
        const wrong: Array<string> = []
        for (const [text, tour, name, within = 1] of followerQueries) {
          const hits = yield* search({ text, limit: 10, since: undefined })
          const place = hits.findIndex((hit) => hit.name === name && hit.tour === tour.toUpperCase()) + 1
          if (place === 0 || place > within) wrong.push(`${text}: ${name} at ${place}, after ${hits[0]?.name}`)
        }
        assert.deepStrictEqual(wrong, [])
        assert.isAtLeast(followerQueries.length, 100)
      }),
    )
  })
}
