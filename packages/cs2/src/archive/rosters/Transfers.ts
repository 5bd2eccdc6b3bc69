/** Reads transfers in the format of API responses. Sources report some, `RosterDerivation` derives the others. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { NO_TEAM, Transfer, type TransferStatus } from "../../contract/http/data/transferModels.ts"
import { playerNumberOf, subjectPlayerNumberOf, teamNumberOf } from "../references.ts"

/** `from` and `to` are inclusive. Players and teams are ids or slugs; "no-team" selects transfers from or to no team. */
export interface TransferFilter extends PageWindow {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly fromTeam?: string | undefined
  readonly toTeam?: string | undefined
  /** Selects transfers in which this team is either the old or the new team. */
  readonly team?: string | undefined
  readonly player?: string | undefined
  readonly status?: TransferStatus | undefined
  readonly computed: boolean
  readonly undated: boolean
  readonly oldestFirst: boolean
}

export class Transfers extends Context.Service<
  Transfers,
  {
    /** Lists by date, oldest or newest first. A transfer without a date is sorted by the time of its detection. */
    readonly transfers: (filter: TransferFilter) => Effect.Effect<Listed<Transfer>, StoreError | ForeignCursor>
    /** Lists the transfers of one player. Returns undefined if the player does not exist. */
    readonly ofPlayer: (player: string, filter: TransferFilter) => Effect.Effect<Listed<Transfer> | undefined, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/rosters/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const seenAt = sql.literal(SEEN_AT)

      const side = (column: "x.from_team_number" | "x.to_team_number", team: string): Fragment =>
        team === NO_TEAM ? sql`${sql.literal(column)} IS NULL` : sql`${sql.literal(column)} = ${teamNumberOf(sql, team)}`

      const where = (filter: TransferFilter) =>
        sql.and([
          ...(filter.undated ? [] : [sql`x.transferred_at IS NOT NULL`]),
          ...(filter.computed ? [sql`true`] : [sql`NOT x.computed`]),
          ...(filter.from === undefined ? [] : [sql`${seenAt} >= ${filter.from}`]),
          ...(filter.to === undefined ? [] : [sql`${seenAt} <= ${filter.to}`]),
          ...(filter.fromTeam === undefined ? [] : [side("x.from_team_number", filter.fromTeam)]),
          ...(filter.toTeam === undefined ? [] : [side("x.to_team_number", filter.toTeam)]),
          ...(filter.team === undefined
            ? []
            : [sql`(${side("x.from_team_number", filter.team)} OR ${side("x.to_team_number", filter.team)})`]),
          ...(filter.player === undefined ? [] : [sql`x.player_number = ${playerNumberOf(sql, filter.player)}`]),
          ...(filter.status === undefined ? [] : [sql`x.status = ${filter.status}`]),
        ])

      const isPlayer = (player: string) =>
        Effect.map(
          sql`SELECT true AS known FROM cs2_players WHERE player_number = ${subjectPlayerNumberOf(sql, player)}`.pipe(
            storeOperation("Transfers.ofPlayer", timeout),
          ),
          (found) => found.length > 0,
        )

      const transfers = (filter: TransferFilter) =>
        readList(
          sql,
          {
            model: Transfer,
            order: filter.oldestFirst ? OLDEST : NEWEST,
            from: sql`cs2_transfers x WHERE ${where(filter)}`,
            of: "cs2_transfers x",
            key: ["transfer_key"],
            joins: sql`
              JOIN cs2_players p ON p.player_number = x.player_number
              LEFT JOIN cs2_teams f ON f.team_number = x.from_team_number
              LEFT JOIN cs2_teams t ON t.team_number = x.to_team_number`,
            row: sql`jsonb_build_object(
              'transferKey', x.transfer_key, 'playerId', cs2_player_id(p.player_number), 'playerName', p.nickname,
              'playerImageUrl', p.image_url, ${sideJson(sql, "from", "f")}, ${sideJson(sql, "to", "t")},
              'status', x.status, 'role', x.role, 'transferDate', iso_utc(x.transferred_at), 'joinDate', iso_utc(x.joined_at),
              'leaveDate', iso_utc(x.left_at), 'detectedAt', iso_utc(x.detected_at), 'computed', x.computed)`,
          },
          filter,
          { name: "Transfers.transfers", timeout },
        )

      return Transfers.of({
        transfers,
        ofPlayer: Effect.fn("Transfers.ofPlayer")(function* (player, filter) {
          return (yield* isPlayer(player)) ? yield* transfers({ ...filter, player }) : undefined
        }),
      })
    }),
  )
}

/** Sort and filter time: the date of the transfer or, if unknown, of its detection. The expression is indexed. */
const SEEN_AT = "COALESCE(x.transferred_at, x.detected_at)"

const seen = (name: string, descending: boolean): Order => ({
  name,
  keys: [
    { of: SEEN_AT, type: "timestamptz", descending },
    { of: "x.transfer_key", type: "text", descending },
  ],
})
const NEWEST = seen("transfers-newest", true)
const OLDEST = seen("transfers-oldest", false)

/** The six JSON fields of the old (`from`) or new (`to`) team. `t` is its joined row, which may be missing. */
const sideJson = (sql: PgClient.PgClient, name: "from" | "to", t: string): Fragment =>
  sql.literal(`
    '${name}TeamId', COALESCE(cs2_team_id(${t}.team_number), '${NO_TEAM}'), '${name}TeamName', COALESCE(${t}.name, 'No team'),
    '${name}TeamLogoUrl', ${t}.logo_url, '${name}TeamAlternateLogoUrl', ${t}.alternate_logo_url,
    '${name}TeamDarkUiLogoUrl', ${t}.dark_ui_logo_url, '${name}TeamIsNoTeam', ${t}.team_number IS NULL`)
