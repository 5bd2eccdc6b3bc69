/** Reads roster changes and roster spells (periods of a player on a team). `RosterDerivation` derives both. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { RosterChange, RosterSpell } from "../../contract/http/data/transferModels.ts"
import { type TeamId, teamId } from "../../rules/ids.ts"
import { playerCardJson } from "../fragments.ts"
import { playerNumberOf, subjectTeamNumberOf, teamNumberOf } from "../references.ts"

/** Players and teams are ids or slugs. */
export interface RosterChangeFilter extends PageWindow {
  /** Only roster changes that took effect at or after this time are listed. */
  readonly from?: Date | undefined
  readonly player?: string | undefined
  readonly team?: string | undefined
}

export interface SpellFilter extends PageWindow {
  readonly from?: Date | undefined
}

export interface TeamSpells extends Listed<RosterSpell> {
  readonly teamId: TeamId
  readonly teamName: string
}

export class Rosters extends Context.Service<
  Rosters,
  {
    /** Lists roster changes, newest first. */
    readonly changes: (filter: RosterChangeFilter) => Effect.Effect<Listed<RosterChange>, StoreError | ForeignCursor>
    /**
     * Current members first, then former ones, each by last match, newest first. Spells that ended before `from` are
     * left out. Undefined if the team does not exist.
     */
    readonly ofTeam: (team: string, filter: SpellFilter) => Effect.Effect<TeamSpells | undefined, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/rosters/Rosters") {
  static readonly layer = Layer.effect(
    Rosters,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const where = (filter: RosterChangeFilter) =>
        sql.and([
          sql`true`,
          ...(filter.from === undefined ? [] : [sql`c.effective_at >= ${filter.from}`]),
          ...(filter.player === undefined ? [] : [sql`c.player_number = ${playerNumberOf(sql, filter.player)}`]),
          ...(filter.team === undefined ? [] : [sql`c.team_number = ${teamNumberOf(sql, filter.team)}`]),
        ])

      const team = Effect.fnUntraced(
        function* (reference: string) {
          const [found] = yield* Effect.flatMap(
            sql`SELECT team_number AS "teamNumber", name AS "teamName" FROM cs2_teams WHERE team_number = ${subjectTeamNumberOf(sql, reference)}`,
            decodeTeams,
          )
          return found
        },
        storeOperation("Rosters.ofTeam", timeout),
      )

      const during = (teamNumber: number, from: Date | undefined) =>
        sql.and([sql`s.team_number = ${teamNumber}`, ...(from === undefined ? [] : [sql`(s.left_at IS NULL OR s.left_at >= ${from})`])])

      const spells = (teamNumber: number, filter: SpellFilter) =>
        readList(
          sql,
          {
            model: RosterSpell,
            order: SPELLS,
            from: sql`cs2_roster_spells s WHERE ${during(teamNumber, filter.from)}`,
            of: "cs2_roster_spells s",
            key: ["player_number", "team_number", "role", "first_match_at"],
            joins: sql`JOIN cs2_players p ON p.player_number = s.player_number`,
            row: sql`jsonb_build_object(
              'playerId', cs2_player_id(p.player_number), 'playerName', p.nickname, 'player', ${playerCardJson(sql, "p")}, 'role', s.role,
              'status', CASE WHEN s.left_at IS NOT NULL THEN 'left' WHEN s.benched_at IS NOT NULL THEN 'benched' ELSE 'active' END,
              'joinedAt', iso_utc(s.joined_at), 'leftAt', iso_utc(s.left_at), 'benchedAt', iso_utc(s.benched_at),
              'firstMatchAt', iso_utc(s.first_match_at), 'lastMatchAt', iso_utc(s.last_match_at), 'matches', s.matches,
              'confidence', s.confidence)`,
          },
          filter,
          { name: "Rosters.ofTeam", timeout },
        )

      return Rosters.of({
        changes: (filter) =>
          readList(
            sql,
            {
              model: RosterChange,
              order: CHANGES,
              from: sql`cs2_roster_changes c WHERE ${where(filter)}`,
              of: "cs2_roster_changes c",
              key: ["change_id"],
              joins: sql`
                JOIN cs2_teams t ON t.team_number = c.team_number
                JOIN cs2_players p ON p.player_number = c.player_number`,
              row: sql`jsonb_build_object(
                'changeId', c.change_id, 'changeType', c.change_type, 'teamId', cs2_team_id(c.team_number),
                'fromTeamId', cs2_team_id(c.from_team_number), 'toTeamId', cs2_team_id(c.to_team_number), 'teamName', t.name,
                'playerId', cs2_player_id(c.player_number), 'playerName', p.nickname, 'roleBefore', c.role_before, 'roleAfter', c.role_after,
                'effectiveAt', iso_utc(c.effective_at), 'detectedAt', iso_utc(c.detected_at), 'confidence', c.confidence)`,
            },
            filter,
            { name: "Rosters.changes", timeout },
          ),
        ofTeam: Effect.fn("Rosters.ofTeam")(function* (reference, filter) {
          const known = yield* team(reference)
          if (known === undefined) return undefined
          const { teamName, teamNumber } = known
          return { ...(yield* spells(teamNumber, filter)), teamId: teamId(teamNumber), teamName }
        }),
      })
    }),
  )
}

const decodeTeams = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ teamNumber: Counter, teamName: Schema.String })))

const CHANGES: Order = {
  name: "roster-changes-newest",
  keys: [
    { of: "c.effective_at", type: "timestamptz", descending: true },
    { of: "c.change_id", type: "uuid", descending: true },
  ],
}

const SPELLS: Order = {
  name: "roster-spells",
  keys: [
    { of: "(s.left_at IS NOT NULL)::integer", type: "bigint" },
    { of: "s.last_match_at", type: "timestamptz", descending: true },
    { of: "s.first_match_at", type: "timestamptz", descending: true },
    { of: "s.player_number", type: "bigint" },
    { of: "s.role", type: "text" },
  ],
}
