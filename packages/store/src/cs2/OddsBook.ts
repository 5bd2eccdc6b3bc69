/** Reads odds markets and their lines as answers show them. Who writes them is `OddsRecorder`. */
import { PgClient } from "@effect/sql-pg"
import { OddsMarket, OddsQuote } from "@matchpoint/contracts/http/cs2/data/OddsApi"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import type { Rows } from "./MatchArchive.ts"

/** Undefined: whatever it is. Times bound the start, inclusive. */
export interface MarketFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly state?: OddsMarket["state"] | undefined
  readonly kind?: OddsMarket["kind"] | undefined
  /** Id or slug. */
  readonly team?: string | undefined
  readonly limit: number
  readonly offset: number
}

export interface LineFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly limit: number
  readonly offset: number
}

export class OddsBook extends Context.Service<
  OddsBook,
  {
    /** Open ones first, then the newest start. */
    readonly markets: (filter: MarketFilter) => Effect.Effect<Rows<OddsMarket>, StoreError>
    /** The series winner first, then by map. Undefined: the archive has no such match. */
    readonly ofMatch: (matchNumber: number) => Effect.Effect<ReadonlyArray<OddsMarket> | undefined, StoreError>
    /** Oldest first. Undefined: there is no such market. */
    readonly line: (marketNumber: number, filter: LineFilter) => Effect.Effect<Rows<OddsQuote> | undefined, StoreError>
  }
>()("@matchpoint/store/cs2/OddsBook") {
  static readonly layer = Layer.effect(
    OddsBook,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      /** `OddsMarket` of a row of cs2_odds_markets with its match and its newest price, both left joined. */
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
                  SELECT x.match_number FROM cs2_teams t JOIN cs2_series x ON t.team_number IN (x.team1_number, x.team2_number)
                  WHERE t.slug = ${team} OR cs2_team_id(t.team_number) = ${team})`,
              ]),
        ])

      const page = (filter: MarketFilter) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: OddsMarket }),
          execute: () => sql`
            SELECT ${market} AS row FROM cs2_odds_markets m ${joins}
            WHERE ${where(filter)}
            ORDER BY (m.state <> 'open'), m.starts_at DESC NULLS LAST, m.market_number
            LIMIT ${filter.limit} OFFSET ${filter.offset}`,
        })()

      const count = (filter: MarketFilter) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Total,
          execute: () => sql`SELECT count(*) AS total FROM cs2_odds_markets m WHERE ${where(filter)}`,
        })()

      const ofMatch = SqlSchema.findAll({
        // Ids may have a digit more than numbers hold exactly; no match has one.
        Request: Schema.Finite,
        Result: Schema.Struct({ row: Schema.NullOr(OddsMarket) }),
        // One row without a market says that the match is there.
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

      const quotes = (marketNumber: number, filter: LineFilter) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: OddsQuote,
          execute: () => sql`
            SELECT iso_utc(p.priced_at) AS at, p.team1_price AS team1, p.team2_price AS team2, p.state
            FROM cs2_odds_prices p WHERE ${within(marketNumber, filter)}
            ORDER BY p.priced_at LIMIT ${filter.limit} OFFSET ${filter.offset}`,
        })()

      const countQuotes = (marketNumber: number, filter: LineFilter) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ ...Total.fields, known: Schema.Boolean }),
          execute: () => sql`
            SELECT count(*) AS total, EXISTS (SELECT FROM cs2_odds_markets WHERE market_number = ${marketNumber}) AS known
            FROM cs2_odds_prices p WHERE ${within(marketNumber, filter)}`,
        })()

      return OddsBook.of({
        markets: Effect.fn("OddsBook.markets")(
          function* (filter) {
            const found = yield* page(filter)
            const [{ total }] = yield* Effect.catchTag(count(filter), "NoSuchElementError", Effect.die)
            return { rows: found.map(({ row }) => row), total }
          },
          storeOperation("OddsBook.markets", limit),
        ),
        ofMatch: Effect.fn("OddsBook.ofMatch")(
          function* (matchNumber) {
            const found = yield* ofMatch(matchNumber)
            return found.length === 0 ? undefined : found.flatMap(({ row }) => row ?? [])
          },
          storeOperation("OddsBook.ofMatch", limit),
        ),
        line: Effect.fn("OddsBook.line")(
          function* (marketNumber, filter) {
            const [{ known, total }] = yield* Effect.catchTag(countQuotes(marketNumber, filter), "NoSuchElementError", Effect.die)
            return known ? { rows: yield* quotes(marketNumber, filter), total } : undefined
          },
          storeOperation("OddsBook.line", limit),
        ),
      })
    }),
  )
}

const Total = Schema.Struct({ total: Counter })
