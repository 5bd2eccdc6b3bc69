/** Plans the steps in which the summaries are computed. Reads only the numbers of rows by year and player. */
import type { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { Context, Effect, Schema } from "effect"
import { everything, type Slice, sliceName, slicesOf } from "./slices.ts"
import type { SlicedBy, TennisSummary } from "./TennisSummary.ts"

export interface SummaryStep {
  /** Unique among the steps of an archive. The same archive gives the same names. */
  readonly name: string
  /** Run in one transaction. */
  readonly statements: ReadonlyArray<string>
  /** A statement that cannot run in a transaction. It runs afterwards. */
  readonly maintenance?: string
}

/** A step of this size takes 1 to 5 seconds on a calm machine with 2 cores. */
export const StepSizes = Context.Reference("@matchpoint/tennis/archive/summaries/summarySteps/StepSizes", {
  defaultValue: () => ({ matches: 100_000, players: 10_000 }),
})

const decodeCounts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.String, rows: Counter })))

/** The first characters of player ids, such as `atp_103`, which a thousand players share. */
const PREFIX = 7

export const planSteps = Effect.fnUntraced(function* (sql: PgClient.PgClient, summaries: ReadonlyArray<TennisSummary>) {
  const sizes = yield* StepSizes
  const years = yield* Effect.flatMap(
    sql`
      SELECT key::text, rows FROM (SELECT extract(year FROM match_date)::integer AS key, count(*) AS rows FROM tennis_matches GROUP BY 1) counted
      ORDER BY counted.key`,
    decodeCounts,
  )
  const players = yield* Effect.flatMap(
    sql`SELECT left(player_id, ${PREFIX}::integer) AS key, count(*) AS rows FROM tennis_players GROUP BY 1 ORDER BY 1`,
    decodeCounts,
  )
  const slices: Readonly<Record<SlicedBy, ReadonlyArray<Slice>>> = {
    years: slicesOf(years, sizes.matches),
    players: slicesOf(players, sizes.players),
    tours: slicesOf(
      [
        { key: "atp", rows: 1 },
        { key: "wta", rows: 1 },
      ],
      1,
    ),
    nothing: [everything],
  }
  return summaries.flatMap((summary) => stepsOf(summary, slices[summary.slicedBy]))
})

const stepsOf = ({ rebuild, table }: TennisSummary, slices: ReadonlyArray<Slice>): ReadonlyArray<SummaryStep> => [
  ...slices.map((slice) => ({ name: `${titleOf(table)} ${sliceName(slice)}`.trim(), statements: rebuild(slice) })),
  // Removes the old rows, moves new ones from the pending list of an index of names, which each search would read
  // otherwise, and updates the statistics with which later summaries are planned.
  { name: `${titleOf(table)}, maintenance`, statements: [], maintenance: `VACUUM (ANALYZE) ${table}` },
]

/** `player summaries` for `tennis_player_summaries`. */
const titleOf = (table: string): string => table.replace(/^tennis_/u, "").replaceAll("_", " ")
