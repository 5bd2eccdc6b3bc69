/** Reads betting markets and their price history in the format of API responses. `OddsRecorder` writes them. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OddsMarket, OddsQuote } from "../../contract/http/data/endpoints/OddsApi.ts"
import { teamNumberOf } from "../references.ts"

/** `from` and `to` bound the start time of the match, inclusive. */
export interface MarketFilter extends PageWindow {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly state?: OddsMarket["state"] | undefined
  readonly kind?: OddsMarket["kind"] | undefined
  /** Id or slug. */
  readonly team?: string | undefined
}

export interface LineFilter extends PageWindow {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export class OddsBook extends Context.Service<
  OddsBook,
  {
    /** Open markets first, then all others. In both groups, latest start time first. */
    readonly markets: (filter: MarketFilter) => Effect.Effect<Listed<OddsMarket>, StoreError | ForeignCursor>
    /** Markets on the winner of the series, then those on maps, in map order. Undefined if the match is unknown. */
    readonly ofMatch: (matchNumber: number) => Effect.Effect<ReadonlyArray<OddsMarket> | undefined, StoreError>
    /** Lists the prices of a betting market, oldest first. Returns undefined if the market does not exist. */
    readonly line: (marketNumber: number, filter: LineFilter) => Effect.Effect<Listed<OddsQuote> | undefined, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/odds/OddsBook") {
  static readonly layer = Layer.effect(
    OddsBook,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      /** For a row `m` of cs2_odds_markets, joined with its match and its newest price, both of which may be missing. */
      const market = sql.literal(`jsonb_build_object(
        'entityType', 'cs2_odds_market', 'id', 'cs2-odds-' || m.market_number, 'matchId', cs2_match_id(m.match_number),
        'gameId', cs2_match_id(m.match_number) || '-map-' || m.map_number, 'kind', m.kind, 'mapNumber', m.map_number, 'title', m.title,
        'state', m.state,
        'team1', jsonb_build_object('teamId', cs2_team_id(s.team1_number), 'name', m.team1_name, 'price', q.team1_price),
        'team2', jsonb_build_object('teamId', cs2_team_id(s.team2_number), 'name', m.team2_name, 'price', q.team2_price),
        'impliedProbability', q.team2_price / (q.team1_price + q.team2_price), 'margin', 1 / q.team1_price + 1 / q.team2_price - 1,
        'winner', 'team' || m.winner, 'startsAt', iso_utc(m.starts_at), 'openedAt', iso_utc(m.opened_at),
        'closedAt', iso_utc(m.closed_at), 'pricedAt', iso_utc(q.priced_at), 'source', m.source,
        'lastSyncedAt', iso_utc(m.last_synced_at))`)

      const joins = sql.literal(`
        LEFT JOIN cs2_series s ON s.match_number = m.match_number
        LEFT JOIN LATERAL (
          SELECT p.team1_price, p.team2_price, p.priced_at FROM cs2_odds_prices p
          WHERE p.market_number = m.market_number ORDER BY p.priced_at DESC LIMIT 1
        ) q ON true`)

      const where = ({ from, kind, state, team, to }: MarketFilter) =>
        sql.and([
          sql`true`,
          ...(state === undefined ? [] : [sql`m.state = ${state}`]),
          ...(kind === undefined ? [] : [sql`m.kind = ${kind}`]),
          ...(from === undefined ? [] : [sql`m.starts_at >= ${from}`]),
          ...(to === undefined ? [] : [sql`m.starts_at <= ${to}`]),
          ...(team === undefined
            ? []
            : [
                sql`m.match_number IN (
                  SELECT match_number FROM cs2_series WHERE team1_number = ${teamNumberOf(sql, team)}
                  UNION ALL SELECT match_number FROM cs2_series WHERE team2_number = ${teamNumberOf(sql, team)})`,
              ]),
        ])

      const ofMatch = SqlSchema.findAll({
        // Not only safe integers: a client may request a match id above 2^53. The query then finds nothing.
        Request: Schema.Finite,
        Result: Schema.Struct({ row: Schema.NullOr(OddsMarket) }),
        // If the match exists but has no market, the result is one row without a market.
        execute: (matchNumber) => sql`
          SELECT CASE WHEN m.market_number IS NULL THEN NULL ELSE ${market} END AS row
          FROM cs2_series s LEFT JOIN cs2_odds_markets m ON m.match_number = s.match_number
          LEFT JOIN LATERAL (
            SELECT p.team1_price, p.team2_price, p.priced_at FROM cs2_odds_prices p
            WHERE p.market_number = m.market_number ORDER BY p.priced_at DESC LIMIT 1
          ) q ON true
          WHERE s.match_number = ${matchNumber}
          ORDER BY m.kind DESC, m.map_number, m.market_number LIMIT 100`,
      })

      const within = (marketNumber: number, { from, to }: LineFilter) =>
        sql.and([
          sql`p.market_number = ${marketNumber}`,
          ...(from === undefined ? [] : [sql`p.priced_at >= ${from}`]),
          ...(to === undefined ? [] : [sql`p.priced_at <= ${to}`]),
        ])

      const isMarket = (marketNumber: number) =>
        Effect.map(
          sql`SELECT true AS known FROM cs2_odds_markets WHERE market_number = ${marketNumber}`.pipe(
            storeOperation("OddsBook.line", timeout),
          ),
          (found) => found.length > 0,
        )

      return OddsBook.of({
        markets: (filter) =>
          readList(
            sql,
            {
              model: OddsMarket,
              order: OPEN_FIRST,
              from: sql`cs2_odds_markets m WHERE ${where(filter)}`,
              of: "cs2_odds_markets m",
              key: ["market_number"],
              joins,
              row: market,
            },
            filter,
            { name: "OddsBook.markets", timeout },
          ),
        ofMatch: storeFn("OddsBook.ofMatch", timeout, function* (matchNumber) {
          const found = yield* ofMatch(matchNumber)
          return found.length === 0 ? undefined : found.flatMap(({ row }) => row ?? [])
        }),
        line: Effect.fn("OddsBook.line")(function* (marketNumber, filter) {
          if (!(yield* isMarket(marketNumber))) return undefined
          return yield* readList(
            sql,
            {
              model: OddsQuote,
              order: OLDEST,
              from: sql`cs2_odds_prices p WHERE ${within(marketNumber, filter)}`,
              of: "cs2_odds_prices p",
              key: ["market_number", "priced_at"],
              row: sql.literal(
                "jsonb_build_object('at', iso_utc(p.priced_at), 'team1', p.team1_price, 'team2', p.team2_price, 'state', p.state)",
              ),
            },
            filter,
            { name: "OddsBook.line", timeout },
          )
        }),
      })
    }),
  )
}

const OPEN_FIRST: Order = {
  name: "odds-open-first",
  keys: [
    { of: "(m.state <> 'open')::integer", type: "bigint" },
    { of: "m.starts_at", type: "timestamptz", descending: true, nullable: true },
    { of: "m.market_number", type: "bigint" },
  ],
}

const OLDEST: Order = { name: "odds-line-oldest", keys: [{ of: "p.priced_at", type: "timestamptz" }] }
