/**
 * Derives from the lineups of played matches: roster spells (periods of a player on a team), roster changes, transfers,
 * and each player's status and team. The rules are in `rules/rosters`. Scheduled and cancelled matches do not count.
 * Deriving again from the same lineups changes nothing. Transfers reported by sources are left unchanged.
 */
import { createHash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { movesOf } from "../../rules/rosters/moves.ts"
import { ACTIVE_PLAYERS, type Appearance, type Stay, spellsOf } from "../../rules/rosters/stays.ts"
import { deriveStatuses } from "../seats.ts"
import { type DerivedRow, replaceDerived } from "./derivedRows.ts"

/** Players per transaction. */
const PLAYERS_AT_ONCE = 250

export interface Derived {
  readonly players: number
  /** Rows (spells, roster changes, transfers) that changed, plus players whose status or team changed. */
  readonly changed: number
}

export class RosterDerivation extends Context.Service<
  RosterDerivation,
  {
    /**
     * Derives the rosters of all players of every team that has a match written at or after `since`, including players
     * who did not play in it. Without `since`, of all players. One transaction per group of players: if a group fails,
     * earlier groups stay committed, and players not yet processed keep their old rows.
     */
    readonly rebuild: (since?: Date) => Effect.Effect<Derived, StoreError>
  }
>()("@matchpoint/cs2/archive/rosters/RosterDerivation") {
  static readonly layer = Layer.effect(
    RosterDerivation,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const touched = SqlSchema.findAll({
        Request: Schema.UndefinedOr(Schema.Date),
        Result: Schema.Struct({ player: Counter }),
        execute: (since) =>
          since === undefined
            ? sql`
              SELECT DISTINCT player_number AS player FROM cs2_lineups
              UNION SELECT player_number FROM cs2_players WHERE told_at IS NOT NULL ORDER BY 1`
            : sql`
              SELECT DISTINCT player_number AS player FROM cs2_lineups WHERE team_number IN (
                SELECT l.team_number FROM cs2_series s JOIN cs2_lineups l ON l.match_number = s.match_number WHERE s.last_synced_at >= ${since})
              ORDER BY 1`,
      })

      const derive = (players: ReadonlyArray<number>) =>
        sql.withTransaction(deriveRosters(sql, players)).pipe(storeEffect("RosterDerivation.derive", limit))

      const playersTouched = storeFn("RosterDerivation.touched", limit, touched)

      return RosterDerivation.of({
        rebuild: Effect.fn("RosterDerivation.rebuild")(function* (since) {
          const players = yield* playersTouched(since)
          let changed = 0
          for (const chunk of Arr.chunksOf(players, PLAYERS_AT_ONCE)) changed += yield* derive(chunk.map(({ player }) => player))
          return { players: players.length, changed }
        }),
      })
    }),
  )
}

/** Runs in the caller's transaction. Returns how many rows and players changed. */
export const deriveRosters = Effect.fnUntraced(function* (sql: PgClient.PgClient, players: ReadonlyArray<number>) {
  if (players.length === 0) return 0
  const isPlayed = sql.literal(PLAYED)
  const appearances = SqlSchema.findAll({
    Request: Schema.Array(Schema.Natural),
    Result: Schema.Struct({ player: Counter, team: Counter, role: Schema.Literals(["player", "coach"]), at: Counter }),
    execute: (players) => sql`
      SELECT player_number AS player, team_number AS team, role, floor(extract(epoch FROM played_at) * 1000)::bigint AS at
      FROM cs2_lineups l WHERE player_number IN ${sql.in(players)} AND ${isPlayed}`,
  })

  // Only matches whose lineup is known: only these can show that a player was absent.
  const teamMatches = SqlSchema.findAll({
    Request: Schema.Array(Schema.Natural),
    Result: Schema.Struct({ team: Counter, times: Schema.Array(Schema.Natural) }),
    execute: (players) => sql`
      SELECT team_number AS team, jsonb_agg(floor(extract(epoch FROM played_at) * 1000)::bigint ORDER BY played_at) AS times
      FROM (
        SELECT DISTINCT team_number, match_number, played_at FROM cs2_lineups l
        WHERE ${isPlayed} AND team_number IN (SELECT team_number FROM cs2_lineups WHERE player_number IN ${sql.in(players)})
      ) m GROUP BY team_number`,
  })

  // Active players are those who played for the team most recently.
  const activePlayers = SqlSchema.findAll({
    Request: Schema.Array(Schema.Natural),
    Result: Schema.Struct({ team: Counter, player: Counter }),
    execute: (players) => sql`
      SELECT team_number AS team, player_number AS player FROM (
        SELECT team_number, player_number,
          row_number() OVER (PARTITION BY team_number ORDER BY max(played_at) DESC, count(*) DESC, player_number) AS place
        FROM cs2_lineups l WHERE role = 'player' AND ${isPlayed}
          AND team_number IN (SELECT team_number FROM cs2_lineups WHERE player_number IN ${sql.in(players)})
        GROUP BY team_number, player_number
      ) m WHERE place <= ${ACTIVE_PLAYERS}`,
  })

  const seen = new Map<number, Array<Appearance>>()
  for (const { player, ...appearance } of yield* appearances(players)) {
    const known = seen.get(player)
    if (known === undefined) seen.set(player, [appearance])
    else known.push(appearance)
  }
  const matches = new Map((yield* teamMatches(players)).map(({ team, times }) => [team, times]))
  const active = new Set((yield* activePlayers(players)).map(({ player, team }) => `${team} ${player}`))
  const rows = [...seen].flatMap(([player, appeared]) => {
    const matchesOf = (team: number) => matches.get(team) ?? []
    return rowsOf(
      player,
      spellsOf(appeared, matchesOf, (team) => !active.has(`${team} ${player}`)),
    )
  })
  const changed = yield* replaceDerived(sql, players, rows)
  return changed + (yield* deriveStatuses(sql, players))
})

const PLAYED = "EXISTS (SELECT FROM cs2_series s WHERE s.match_number = l.match_number AND s.status = 'completed')"

const rowsOf = (player: number, spells: ReadonlyArray<Stay>): ReadonlyArray<DerivedRow> => {
  const { changes, transfers } = movesOf(spells)
  return [
    ...spells.map((spell) => ({ _tag: "Spell" as const, player, ...spell })),
    ...changes.map((change) => ({
      _tag: "Change" as const,
      player,
      ...change,
      id: uuidOf(["roster-change", player, change.type, change.team, change.from, change.to, change.roleAfter, change.effectiveAt]),
    })),
    ...transfers.map((move) => ({
      _tag: "Transfer" as const,
      player,
      ...move,
      key: `${player}-${move.from ?? "none"}-${move.to ?? "none"}-${Math.floor(move.transferredAt / 1_000)}`,
    })),
  ]
}

/** A name-based UUID (version 5): the same roster change always has the same id. */
const uuidOf = (parts: ReadonlyArray<string | number | null>): string => {
  const bytes = createHash("sha1").update(parts.join("|")).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}
