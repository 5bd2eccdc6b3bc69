/** Reads transfers as answers show them. Deriving them is `RosterDerivation`'s. */
import { PgClient } from "@effect/sql-pg"
import { NO_TEAM, Transfer, type TransferStatus } from "@matchpoint/contracts/http/cs2/data/transferModels"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import type { Rows } from "./MatchArchive.ts"
import { playerNumberOf, teamNumberOf } from "./references.ts"

/** Undefined: whatever it is. Times are inclusive. Players and teams by id or slug; teams of from and to may be "no-team". */
export interface TransferFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly fromTeam?: string | undefined
  readonly toTeam?: string | undefined
  /** On either side. */
  readonly team?: string | undefined
  readonly player?: string | undefined
  readonly status?: TransferStatus | undefined
  readonly computed: boolean
  readonly undated: boolean
  readonly oldestFirst: boolean
  readonly limit: number
  readonly offset: number
}

export class Transfers extends Context.Service<
  Transfers,
  {
    /** By date, those without one where they became known. */
    readonly transfers: (filter: TransferFilter) => Effect.Effect<Rows<Transfer>, StoreError>
    /** The same of one player. Undefined: there is no such player. */
    readonly ofPlayer: (player: string, filter: TransferFilter) => Effect.Effect<Rows<Transfer> | undefined, StoreError>
  }
>()("@matchpoint/store/cs2/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      /** Has an index; the one that lists are ordered by. */
      const seenAt = sql.literal("COALESCE(x.transferred_at, x.detected_at)")

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

      const select = (filter: TransferFilter) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: Transfer }),
          execute: () => {
            const direction = sql.literal(filter.oldestFirst ? "ASC" : "DESC")
            return sql`
              SELECT jsonb_build_object(
                'transferKey', x.transfer_key, 'playerId', cs2_player_id(p.player_number), 'playerName', p.nickname,
                'playerImageUrl', p.image_url, ${sideJson(sql, "from", "f")}, ${sideJson(sql, "to", "t")},
                'status', x.status, 'role', x.role, 'transferDate', iso_utc(x.transferred_at), 'joinDate', iso_utc(x.joined_at),
                'leaveDate', iso_utc(x.left_at), 'detectedAt', iso_utc(x.detected_at), 'computed', x.computed) AS row
              FROM cs2_transfers x JOIN cs2_players p ON p.player_number = x.player_number
              LEFT JOIN cs2_teams f ON f.team_number = x.from_team_number
              LEFT JOIN cs2_teams t ON t.team_number = x.to_team_number
              WHERE ${where(filter)}
              ORDER BY ${seenAt} ${direction}, x.transfer_key ${direction} LIMIT ${filter.limit} OFFSET ${filter.offset}`
          },
        })()

      const count = (filter: TransferFilter) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ total: Counter }),
          execute: () => sql`SELECT count(*) AS total FROM cs2_transfers x WHERE ${where(filter)}`,
        })()

      const isPlayer = (player: string) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ known: Schema.Boolean }),
          execute: () => sql`SELECT EXISTS (SELECT FROM cs2_players WHERE player_number = ${playerNumberOf(sql, player)}) AS known`,
        })()

      const transfers = Effect.fnUntraced(function* (filter: TransferFilter) {
        const found = yield* select(filter)
        const [{ total }] = yield* Effect.catchTag(count(filter), "NoSuchElementError", Effect.die)
        return { rows: found.map(({ row }) => row), total }
      })

      return Transfers.of({
        transfers: Effect.fn("Transfers.transfers")(transfers, storeOperation("Transfers.transfers", limit)),
        ofPlayer: Effect.fn("Transfers.ofPlayer")(
          function* (player, filter) {
            const [{ known }] = yield* Effect.catchTag(isPlayer(player), "NoSuchElementError", Effect.die)
            return known ? yield* transfers({ ...filter, player }) : undefined
          },
          storeOperation("Transfers.ofPlayer", limit),
        ),
      })
    }),
  )
}

/** The six fields of one side; `t` is its team, left joined. */
const sideJson = (sql: PgClient.PgClient, name: "from" | "to", t: string): Fragment =>
  sql.literal(`
    '${name}TeamId', COALESCE(cs2_team_id(${t}.team_number), '${NO_TEAM}'), '${name}TeamName', COALESCE(${t}.name, 'No team'),
    '${name}TeamLogoUrl', ${t}.logo_url, '${name}TeamAlternateLogoUrl', ${t}.alternate_logo_url,
    '${name}TeamDarkUiLogoUrl', ${t}.dark_ui_logo_url, '${name}TeamIsNoTeam', ${t}.team_number IS NULL`)
