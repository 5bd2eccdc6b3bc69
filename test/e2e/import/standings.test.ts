/**
 * The regional standings' own lists of series against what is imported of them. The tables hold no totals of wins and losses; what can be
 * compared, exactly, is every row of the lists: it is a series of the archive under its own names, or the same series under the name that
 * a line-up had that day. Of all rows in memory; of the first weeks in the databases, through the importer.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, layer, type Vitest } from "@effect/vitest"
import { findFiles } from "@matchpoint/service-feed/import/findFiles"
import { importSource } from "@matchpoint/service-feed/import/Importer"
import type { SourceSummary } from "@matchpoint/service-feed/import/Progress"
import { type CsvRow, fieldsOf } from "@matchpoint/service-feed/import/standings/csv"
import { standings } from "@matchpoint/service-feed/import/standings/standings"
import { ArchiveWriter } from "@matchpoint/store/cs2/ArchiveWriter"
import { Imports } from "@matchpoint/store/cs2/Imports"
import { RankingWriter } from "@matchpoint/store/cs2/RankingWriter"
import { RosterDerivation } from "@matchpoint/store/cs2/RosterDerivation"
import { Migrations } from "@matchpoint/store/Migrations"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { embeddedMemory, postgresDatabase } from "../../../packages/store/test/drivers.ts"
import { textOf } from "../../../services/feed/test/recordedData.ts"

const dataDirectory = inject("dataDirectory")

/** Until when the databases are told. */
const UNTIL = "2024-02-22"

const linesOf = (directory: string, name: string) => textOf(directory, "cs2", "vrs", name).split("\n").filter(Boolean)

const rowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<CsvRow> => {
  const [columns = [], ...rows] = lines.map(fieldsOf)
  return rows.map((fields) => Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ""])))
}

interface Listed {
  readonly date: string
  readonly winner: string
  readonly loser: string
  readonly won: ReadonlySet<string>
  readonly lost: ReadonlySet<string>
}

const handles = (text = "") =>
  new Set(
    text
      .split(", ")
      .filter(Boolean)
      .map((handle) => handle.toLowerCase()),
  )

const resultOf = ({ date = "", roster_a, roster_b, team_a = "", team_b = "", winner }: CsvRow): Listed =>
  winner === team_a
    ? { date, winner: team_a, loser: team_b, won: handles(roster_a), lost: handles(roster_b) }
    : { date, winner: team_b, loser: team_a, won: handles(roster_b), lost: handles(roster_a) }

const nameOf = ({ date, loser, winner }: Pick<Listed, "date" | "winner" | "loser">) => JSON.stringify([date, winner, loser])

const counted = <A>(all: ReadonlyArray<A>, key: (one: A) => string) => {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return counts
}

const isSameTeam = (name: string, roster: ReadonlySet<string>, other: string, others: ReadonlySet<string>) =>
  roster.size > 0 && others.size > 0 ? [...roster].filter((one) => others.has(one)).length >= 3 : name === other

/** The series of the lists as the import reads them. */
const readFrom = (directory: string) =>
  Effect.gen(function* () {
    const files = yield* findFiles(standings, join(directory, "cs2", "vrs"))
    const file = files.find(({ name }) => name.includes("matches_derived"))
    if (file === undefined) return assert.fail("no list of series")
    const told: Array<{ readonly date: string; readonly winner: string; readonly loser: string }> = []
    let rejected = 0
    yield* Stream.runForEach(standings.batches(file, 0), ({ rejections, single }) =>
      Effect.sync(() => {
        rejected += rejections.length
        for (const { record } of single) told.push(playedOf(record))
      }),
    )
    return { told, rejected }
  }).pipe(Effect.provide(NodeServices.layer))

const playedOf = (record: unknown) => {
  if (typeof record !== "object" || record === null || !("match" in record)) return assert.fail("not a match")
  const { startsAt, teams, winner } = record.match as { startsAt: number; teams: [{ name: string }, { name: string }]; winner: 0 | 1 }
  return { date: new Date(startsAt).toISOString().slice(0, 10), winner: teams[winner].name, loser: teams[winner === 0 ? 1 : 0].name }
}

describe.skipIf(dataDirectory === null)("the lists of the standings (skipped without MATCHPOINT_DATA)", () => {
  it("every row is a series under its names, or the same series under another name of a line-up", { timeout: 60_000 }, async () => {
    const rows = rowsOf(linesOf(dataDirectory ?? "", "matches_derived.csv.gz"))
    const real = rows.filter(({ team_a, team_b }) => team_a !== team_b).map(resultOf)
    const { rejected, told } = await Effect.runPromise(readFrom(dataDirectory ?? ""))
    assert.deepStrictEqual([rows.length, rejected, told.length], [30_870, 25, 23_519])

    const archived = counted(told, nameOf)
    const listed = counted(real, nameOf)
    // Nothing is made up: no result is told more often than a list tells it.
    for (const [name, count] of archived) assert.isAtMost(count, listed.get(name) ?? 0, name)

    const byDate = Map.groupBy(real, ({ date }) => date)
    const unexplained = real.filter((row) => {
      if ((archived.get(nameOf(row)) ?? 0) === listed.get(nameOf(row))) return false
      return !(byDate.get(row.date) ?? []).some(
        (other) =>
          nameOf(other) !== nameOf(row) &&
          archived.has(nameOf(other)) &&
          isSameTeam(row.winner, row.won, other.winner, other.won) &&
          isSameTeam(row.loser, row.lost, other.loser, other.lost),
      )
    })
    assert.deepStrictEqual(unexplained.slice(0, 3), [])
  })
})

const suite = (
  directory: string,
  it: Vitest.MethodsNonLive<
    ArchiveWriter | Imports | RankingWriter | RosterDerivation | SqlClient.SqlClient | Layer.Success<typeof NodeServices.layer>
  >,
) => {
  it.effect(`wins and losses of every team until ${UNTIL} are the lists'; the same again changes nothing`, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const path = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-standings-"))),
        (created) => Effect.promise(() => rm(created, { recursive: true, force: true })),
      )
      const lines = linesOf(directory, "matches_derived.csv.gz").filter((line, index) => index === 0 || line < UNTIL)
      yield* Effect.promise(() => writeFile(join(path, "matches_derived.csv"), lines.join("\n")))
      const run = Effect.gen(function* () {
        let summary: SourceSummary | undefined
        const rejections: Array<string> = []
        const files = yield* findFiles(standings, path)
        yield* importSource(
          standings,
          files,
          (event) =>
            Effect.sync(() => {
              if (event.type === "SourceDone") summary = event.summary
              if (event.type === "Rejected") rejections.push(event.rejection.reason)
            }),
          { again: true },
        )
        assert.deepStrictEqual(rejections, [])
        return summary
      })
      const first = yield* run
      const stored = yield* sql<{ date: string; winner: string; loser: string }>`
        SELECT to_char(s.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, w.name AS winner, l.name AS loser
        FROM cs2_series s JOIN cs2_teams w ON w.team_number = s.winner_team_number
        JOIN cs2_teams l ON l.team_number = CASE WHEN s.team1_number = w.team_number THEN s.team2_number ELSE s.team1_number END`
      const listed = rowsOf(lines).map(resultOf)
      const tally = (results: ReadonlyArray<{ readonly winner: string; readonly loser: string }>) => {
        const won = counted(results, ({ winner }) => winner)
        const lost = counted(results, ({ loser }) => loser)
        return new Map([...new Set([...won.keys(), ...lost.keys()])].map((team) => [team, `${won.get(team) ?? 0}:${lost.get(team) ?? 0}`]))
      }
      const [ours, theirs] = [tally(stored), tally(listed)]
      const differing = [...theirs].filter(([team, result]) => ours.get(team) !== result)
      assert.deepStrictEqual({ series: stored.length, first: first?.tally.created, teams: theirs.size, differing }, {} as never)

      const again = yield* run
      assert.deepStrictEqual(again?.tally, { created: 0, updated: 0, unchanged: stored.length })
    }),
  )
}

const imported = (driver: typeof embeddedMemory) =>
  Layer.mergeAll(ArchiveWriter.layer, Imports.layer, RankingWriter.layer, RosterDerivation.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(driver),
    Layer.merge(NodeServices.layer),
  )

if (dataDirectory !== null) {
  layer(imported(embeddedMemory), { timeout: "120 seconds" })("Embedded", (it) => suite(dataDirectory, it))
  const databaseUrl = inject("databaseUrl")
  if (databaseUrl !== null) {
    layer(imported(postgresDatabase(databaseUrl)), { timeout: "120 seconds" })("Postgres", (it) => suite(dataDirectory, it))
  }
}
