/** Lists and finds players by name and id. `PlayerCareers` reads their results. */
import { PgClient } from "@effect/sql-pg"
import { type ForeignCursor, type Listed, type PageWindow, readList, readPage } from "@matchpoint/store/paging/listReader"
import { rowsOf, totalOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { PlayerHit, TennisPlayer } from "../../contract/http/data/playerModels.ts"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { playerOrders } from "./playerFilters.ts"
import { playerJson, type Since } from "./playerJson.ts"
import { playerHits, playersNamed } from "./playerSearch.ts"

/** Undefined fields do not restrict the list. */
export interface PlayerFilter extends PageWindow {
  readonly text?: string | undefined
  readonly tour?: Tour | undefined
  readonly order: keyof typeof playerOrders
  readonly since: Since
}

export interface PlayerQuestion {
  readonly text: string
  readonly tour?: Tour | undefined
  readonly offset?: number | undefined
  readonly limit: number
  readonly since: Since
}

export class PlayerDirectory extends Context.Service<
  PlayerDirectory,
  {
    readonly list: (filter: PlayerFilter) => Effect.Effect<Listed<TennisPlayer>, StoreError | ForeignCursor>
    /** The text may be incomplete, misspelled or a nickname. Best hits first. */
    readonly search: (question: PlayerQuestion) => Effect.Effect<ReadonlyArray<PlayerHit>, StoreError>
    /** Players in the order of the ids. Unknown ids are left out. */
    readonly byIds: (ids: ReadonlyArray<string>, since: Since) => Effect.Effect<ReadonlyArray<TennisPlayer>, StoreError>
  }
>()("@matchpoint/tennis/archive/players/PlayerDirectory") {
  static readonly layer = Layer.effect(
    PlayerDirectory,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const ofTour = (tour: Tour | undefined) => (tour === undefined ? sql.literal("true") : sql`tour = ${tour}`)

      const selectByIds = (ids: ReadonlyArray<string>, since: Since) =>
        players(sql`
          SELECT ${playerJson(sql, "p", since)} AS row
          FROM unnest(${[...ids]}::text[]) WITH ORDINALITY AS wanted (player_id, place)
          JOIN tennis_player_summaries p ON p.player_id = wanted.player_id ORDER BY wanted.place`)

      const selectHits = ({ limit, offset = 0, since, text, tour }: PlayerQuestion) => {
        const found = playerHits(sql, { text, tour, limit, offset })
        return found === undefined
          ? Effect.succeed([])
          : hits(sql`
              ${found}
              SELECT ${playerJson(sql, "p", since, sql.literal(", 'match', h.match, 'score', h.score"))} AS row
              FROM hits h JOIN tennis_player_summaries p ON p.player_id = h.player_id ORDER BY h.place`)
      }

      const list = Effect.fnUntraced(function* (filter: PlayerFilter) {
        const { order, since, text, tour } = filter
        const isNamed = text === undefined ? sql.literal("true") : sql`p.player_id IN (${playersNamed(sql, text)})`
        const rows = {
          model: TennisPlayer,
          order: playerOrders[order],
          from: sql`tennis_player_summaries p WHERE ${isNamed} AND ${ofTour(tour)}`,
          of: "tennis_player_summaries p",
          key: ["player_id"],
          row: playerJson(sql, "p", since),
        }
        const operation = { name: "PlayerDirectory.list", timeout }
        if (text !== undefined) return yield* readList(sql, rows, filter, operation)
        const page = yield* readPage(sql, rows, filter, operation)
        const count = totalOf(sql`SELECT COALESCE(sum(players), 0) AS total FROM tennis_player_totals WHERE ${ofTour(tour)}`)
        return { ...page, total: yield* storeOperation(operation.name, timeout)(count) }
      })

      return PlayerDirectory.of({
        list,
        search: storeFn("PlayerDirectory.search", timeout, selectHits),
        byIds: storeFn("PlayerDirectory.byIds", timeout, selectByIds),
      })
    }),
  )
}

const players = rowsOf(TennisPlayer)
const hits = rowsOf(PlayerHit)
