/** Replaces previously derived roster rows of some players with newly derived ones. Writes only rows that differ. */
import type { PgClient } from "@effect/sql-pg"
import { totalOf } from "@matchpoint/store/reading"
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Move, RosterMove } from "../../rules/rosters/moves.ts"
import type { Stay } from "../../rules/rosters/stays.ts"

export type DerivedRow =
  | (Stay & { readonly _tag: "Spell"; readonly player: number })
  | (RosterMove & { readonly _tag: "Change"; readonly player: number; readonly id: string })
  | (Move & { readonly _tag: "Transfer"; readonly player: number; readonly key: string })

type Row = Record<string, string | number | boolean | null>

interface Table {
  readonly name: string
  readonly key: ReadonlyArray<string>
  /** SQL type of each column, including key columns. */
  readonly columns: Readonly<Record<string, string>>
  /** SQL condition that selects the derived rows of the table, as opposed to rows reported by sources. */
  readonly derived: string
}

const spells: Table = {
  name: "cs2_roster_spells",
  key: ["player_number", "team_number", "role", "first_match_at"],
  columns: {
    player_number: "bigint",
    team_number: "bigint",
    role: "text",
    first_match_at: "timestamptz",
    last_match_at: "timestamptz",
    joined_at: "timestamptz",
    left_at: "timestamptz",
    benched_at: "timestamptz",
    matches: "integer",
    confidence: "text",
  },
  derived: "true",
}

const changes: Table = {
  name: "cs2_roster_changes",
  key: ["change_id"],
  columns: {
    change_id: "uuid",
    change_type: "text",
    player_number: "bigint",
    team_number: "bigint",
    from_team_number: "bigint",
    to_team_number: "bigint",
    role_before: "text",
    role_after: "text",
    effective_at: "timestamptz",
    detected_at: "timestamptz",
    confidence: "text",
  },
  derived: "true",
}

const transfers: Table = {
  name: "cs2_transfers",
  key: ["transfer_key"],
  columns: {
    transfer_key: "text",
    player_number: "bigint",
    from_team_number: "bigint",
    to_team_number: "bigint",
    status: "text",
    role: "text",
    transferred_at: "timestamptz",
    joined_at: "timestamptz",
    left_at: "timestamptz",
    detected_at: "timestamptz",
    computed: "boolean",
  },
  derived: "stored.computed",
}

/** `rows` must belong to `players`. Runs in the caller's transaction. Returns how many rows changed. */
export const replaceDerived = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  players: ReadonlyArray<number>,
  rows: ReadonlyArray<DerivedRow>,
) {
  let changed = 0
  changed += yield* replace(sql, spells, players, rows.flatMap(spellRow))
  changed += yield* replace(sql, changes, players, rows.flatMap(changeRow))
  changed += yield* replace(sql, transfers, players, rows.flatMap(transferRow))
  return changed
})

const replace = (sql: PgClient.PgClient, table: Table, players: ReadonlyArray<number>, rows: ReadonlyArray<Row>) => {
  const columns = Object.keys(table.columns)
  const list = (names: ReadonlyArray<string>, prefix = ""): Fragment => sql.literal(names.map((name) => prefix + name).join(", "))
  const typed = sql.literal(columns.map((name) => `${name} ${table.columns[name]}`).join(", "))
  const others = columns.filter((name) => !table.key.includes(name))
  const assigned = sql.literal(others.map((name) => `${name} = excluded.${name}`).join(", "))
  const name = sql.literal(table.name)
  const wanted = sql`jsonb_to_recordset(${sql.json(rows)}) AS w (${typed})`
  return totalOf(sql`
    WITH wanted AS MATERIALIZED (SELECT * FROM ${wanted}),
    gone AS (
      DELETE FROM ${name} AS stored WHERE player_number IN ${sql.in(players)} AND ${sql.literal(table.derived)}
        AND (${list(table.key)}) NOT IN (SELECT ${list(table.key)} FROM wanted)
      RETURNING 1
    ), written AS (
      INSERT INTO ${name} AS stored (${list(columns)}) SELECT ${list(columns)} FROM wanted
      ON CONFLICT (${list(table.key)}) DO UPDATE SET ${assigned}
      WHERE (${list(others, "stored.")}) IS DISTINCT FROM (${list(others, "excluded.")})
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM written) AS total`)
}

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const spellRow = (row: DerivedRow): ReadonlyArray<Row> =>
  row._tag !== "Spell"
    ? []
    : [
        {
          player_number: row.player,
          team_number: row.team,
          role: row.role,
          first_match_at: time(row.firstMatchAt),
          last_match_at: time(row.lastMatchAt),
          joined_at: time(row.joinedAt),
          left_at: time(row.leftAt),
          benched_at: time(row.benchedAt),
          matches: row.matches,
          confidence: row.confidence,
        },
      ]

const changeRow = (row: DerivedRow): ReadonlyArray<Row> =>
  row._tag !== "Change"
    ? []
    : [
        {
          change_id: row.id,
          change_type: row.type,
          player_number: row.player,
          team_number: row.team,
          from_team_number: row.from,
          to_team_number: row.to,
          role_before: row.roleBefore,
          role_after: row.roleAfter,
          effective_at: time(row.effectiveAt),
          detected_at: time(row.detectedAt),
          confidence: row.confidence,
        },
      ]

const transferRow = (row: DerivedRow): ReadonlyArray<Row> =>
  row._tag !== "Transfer"
    ? []
    : [
        {
          transfer_key: row.key,
          player_number: row.player,
          from_team_number: row.from,
          to_team_number: row.to,
          status: row.status,
          role: row.role,
          transferred_at: time(row.transferredAt),
          joined_at: time(row.joinedAt),
          left_at: time(row.leftAt),
          detected_at: time(row.detectedAt),
          computed: true,
        },
      ]
