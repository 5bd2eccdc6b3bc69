/** Reads rosters over time: what changed, and who stood in for a team when. Deriving them is `RosterDerivation`'s. */
import { PgClient } from "@effect/sql-pg"
import { RosterChange, RosterSpell } from "@matchpoint/contracts/http/cs2/data/transferModels"
import { TeamId } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { playerCardJson } from "./fragments.ts"
import type { Rows } from "./MatchArchive.ts"
import { playerNumberOf, teamNumberOf } from "./references.ts"

/** Undefined: whatever it is. Players and teams by id or slug. */
export interface RosterChangeFilter {
  /** Inclusive. */
  readonly from?: Date | undefined
  readonly player?: string | undefined
  readonly team?: string | undefined
  readonly limit: number
  readonly offset: number
}

export interface TeamSpells extends Rows<RosterSpell> {
  readonly teamId: TeamId
  readonly teamName: string
}

export class Rosters extends Context.Service<
  Rosters,
  {
    /** Newest first. */
    readonly changes: (filter: RosterChangeFilter) => Effect.Effect<Rows<RosterChange>, StoreError>
    /** Who is there first, then by the last match; stays that ended before `from` are left out. Undefined: there is no such team. */
    readonly ofTeam: (
      team: string,
      page: { readonly from?: Date | undefined; readonly limit: number; readonly offset: number },
    ) => Effect.Effect<TeamSpells | undefined, StoreError>
  }
>()("@matchpoint/store/cs2/Rosters") {
  static readonly layer = Layer.effect(
    Rosters,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const where = (filter: RosterChangeFilter) =>
        sql.and([
          sql`true`,
          ...(filter.from === undefined ? [] : [sql`c.effective_at >= ${filter.from}`]),
          ...(filter.player === undefined ? [] : [sql`c.player_number = ${playerNumberOf(sql, filter.player)}`]),
          ...(filter.team === undefined ? [] : [sql`c.team_number = ${teamNumberOf(sql, filter.team)}`]),
        ])

      const changes = (filter: RosterChangeFilter) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: RosterChange }),
          execute: () => sql`
            SELECT jsonb_build_object(
              'changeId', c.change_id, 'changeType', c.change_type, 'teamId', cs2_team_id(c.team_number),
              'fromTeamId', cs2_team_id(c.from_team_number), 'toTeamId', cs2_team_id(c.to_team_number), 'teamName', t.name,
              'playerId', cs2_player_id(c.player_number), 'playerName', p.nickname, 'roleBefore', c.role_before, 'roleAfter', c.role_after,
              'effectiveAt', iso_utc(c.effective_at), 'detectedAt', iso_utc(c.detected_at), 'confidence', c.confidence) AS row
            FROM cs2_roster_changes c
            JOIN cs2_teams t ON t.team_number = c.team_number
            JOIN cs2_players p ON p.player_number = c.player_number
            WHERE ${where(filter)}
            ORDER BY c.effective_at DESC, c.change_id DESC LIMIT ${filter.limit} OFFSET ${filter.offset}`,
        })()

      const countChanges = (filter: RosterChangeFilter) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ total: Counter }),
          execute: () => sql`SELECT count(*) AS total FROM cs2_roster_changes c WHERE ${where(filter)}`,
        })()

      const team = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({ teamNumber: Counter, teamId: TeamId, teamName: Schema.String }),
        execute: (reference) => sql`
          SELECT team_number AS "teamNumber", cs2_team_id(team_number) AS "teamId", name AS "teamName"
          FROM cs2_teams WHERE team_number = ${teamNumberOf(sql, reference)}`,
      })

      const during = (teamNumber: number, from: Date | undefined) =>
        sql.and([sql`s.team_number = ${teamNumber}`, ...(from === undefined ? [] : [sql`(s.left_at IS NULL OR s.left_at >= ${from})`])])

      const spells = (teamNumber: number, page: { readonly from?: Date | undefined; readonly limit: number; readonly offset: number }) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: RosterSpell }),
          execute: () => sql`
            SELECT jsonb_build_object(
              'playerId', cs2_player_id(p.player_number), 'playerName', p.nickname, 'player', ${playerCardJson(sql, "p")}, 'role', s.role,
              'status', CASE WHEN s.left_at IS NOT NULL THEN 'left' WHEN s.benched_at IS NOT NULL THEN 'benched' ELSE 'active' END,
              'joinedAt', iso_utc(s.joined_at), 'leftAt', iso_utc(s.left_at), 'benchedAt', iso_utc(s.benched_at),
              'firstMatchAt', iso_utc(s.first_match_at), 'lastMatchAt', iso_utc(s.last_match_at), 'matches', s.matches,
              'confidence', s.confidence) AS row
            FROM cs2_roster_spells s JOIN cs2_players p ON p.player_number = s.player_number
            WHERE ${during(teamNumber, page.from)}
            ORDER BY (s.left_at IS NOT NULL), s.last_match_at DESC, s.first_match_at DESC, s.player_number, s.role
            LIMIT ${page.limit} OFFSET ${page.offset}`,
        })()

      const countSpells = (teamNumber: number, from: Date | undefined) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ total: Counter }),
          execute: () => sql`SELECT count(*) AS total FROM cs2_roster_spells s WHERE ${during(teamNumber, from)}`,
        })()

      return Rosters.of({
        changes: Effect.fn("Rosters.changes")(
          function* (filter) {
            const found = yield* changes(filter)
            const [{ total }] = yield* Effect.catchTag(countChanges(filter), "NoSuchElementError", Effect.die)
            return { rows: found.map(({ row }) => row), total }
          },
          storeOperation("Rosters.changes", limit),
        ),
        ofTeam: Effect.fn("Rosters.ofTeam")(
          function* (reference, page) {
            const [known] = yield* team(reference)
            if (known === undefined) return undefined
            const found = yield* spells(known.teamNumber, page)
            const [{ total }] = yield* Effect.catchTag(countSpells(known.teamNumber, page.from), "NoSuchElementError", Effect.die)
            return { teamId: known.teamId, teamName: known.teamName, rows: found.map(({ row }) => row), total }
          },
          storeOperation("Rosters.ofTeam", limit),
        ),
      })
    }),
  )
}
