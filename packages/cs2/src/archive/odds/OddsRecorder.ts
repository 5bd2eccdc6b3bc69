/**
 * Records the prices of betting markets. A market is created when it is first reported; its match is found by the names
 * of the teams and the day. A price is stored only if it differs from the previous one, so recording the same quotes
 * again changes nothing. Team names and prices are stored in the order in which the match lists its teams.
 */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { nameKey } from "../../rules/archive/names.ts"
import { moved, nextState, type Quote, suspendedFrom } from "../../rules/odds/market.ts"
import { dateAt, MarketRow, QuoteRow, rowOf, StoredMarket } from "./oddsRows.ts"
import type { QuotedMarket } from "./QuotedMarket.ts"

export interface Recorded {
  readonly outcome: "created" | "updated" | "unchanged"
  readonly moves: number
}

export class OddsRecorder extends Context.Service<
  OddsRecorder,
  {
    readonly record: (market: QuotedMarket) => Effect.Effect<Recorded, StoreError>
    /** All matches with an undecided betting market that are scheduled, are live or ended within the last day. */
    readonly undecidedMatches: Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Sequence number of the last event bus record whose quotes are stored, or 0. Reading continues after it. */
    readonly position: Effect.Effect<number, StoreError>
    readonly passed: (sequence: number) => Effect.Effect<void, StoreError>
    /**
     * Records that a map or, if `mapNumber` is undefined, the series with all its maps is decided. Their open markets
     * are suspended and never open again. Returns the number of these markets.
     */
    readonly decide: (matchNumber: number, mapNumber: number | undefined, at: number) => Effect.Effect<number, StoreError>
  }
>()("@matchpoint/cs2/archive/odds/OddsRecorder") {
  static readonly layer = Layer.effect(
    OddsRecorder,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const select = SqlSchema.findOneOption({
        Request: Schema.Struct({ source: Schema.String, key: Schema.String }),
        Result: StoredMarket,
        execute: ({ key, source }) => sql`
          SELECT market_number AS "marketNumber", match_number AS "matchNumber", state, winner, team1_name AS "team1Name",
            floor(extract(epoch FROM decided_at) * 1000)::bigint AS "decidedAt",
            floor(extract(epoch FROM starts_at) * 1000)::bigint AS "startsAt",
            (SELECT floor(extract(epoch FROM max(priced_at)) * 1000)::bigint FROM cs2_odds_prices p
              WHERE p.market_number = cs2_odds_markets.market_number) AS "pricedAt"
          FROM cs2_odds_markets WHERE source = ${source} AND source_key = ${key} FOR UPDATE`,
      })

      // The closest start within 36 hours: time zones and delays can shift a reported start by a day.
      const findMatch = SqlSchema.findOneOption({
        Request: Schema.Struct({ team1: Schema.String, team2: Schema.String, at: Schema.Date }),
        Result: Schema.Struct({ matchNumber: Counter, swapped: Schema.Boolean }),
        execute: ({ at, team1, team2 }) => sql`
          SELECT s.match_number AS "matchNumber", (t1.name_key = ${team2}) AS swapped
          FROM cs2_series s
          JOIN cs2_teams t1 ON t1.team_number = s.team1_number
          JOIN cs2_teams t2 ON t2.team_number = s.team2_number
          WHERE s.starts_at BETWEEN ${at}::timestamptz - interval '36 hours' AND ${at}::timestamptz + interval '36 hours'
            AND ((t1.name_key = ${team1} AND t2.name_key = ${team2}) OR (t1.name_key = ${team2} AND t2.name_key = ${team1}))
          ORDER BY abs(extract(epoch FROM s.starts_at - ${at}::timestamptz)), s.match_number LIMIT 1`,
      })

      const upsert = SqlSchema.findNonEmpty({
        Request: MarketRow,
        Result: Schema.Struct({ marketNumber: Counter }),
        execute: (row) => sql`
          INSERT INTO cs2_odds_markets AS stored (source, source_key, match_number, kind, map_number, title, team1_name, team2_name, state,
            winner, starts_at, opened_at, decided_at, closed_at)
          VALUES (${row.source}, ${row.key}, (SELECT match_number FROM cs2_series WHERE match_number = ${row.matchNumber}), ${row.kind}, ${row.mapNumber}, ${row.title}, ${row.team1Name},
            ${row.team2Name}, ${row.state}, ${row.winner}, ${row.startsAt}, ${row.openedAt}, ${row.decidedAt},
            ${row.closedAt})
          ON CONFLICT (source, source_key) DO UPDATE SET
            match_number = COALESCE(stored.match_number, excluded.match_number), state = excluded.state,
            winner = COALESCE(excluded.winner, stored.winner), starts_at = COALESCE(excluded.starts_at, stored.starts_at),
            decided_at = COALESCE(stored.decided_at, excluded.decided_at), closed_at = COALESCE(stored.closed_at, excluded.closed_at),
            last_synced_at = now()
          RETURNING market_number AS "marketNumber"`,
      })

      const lastQuote = SqlSchema.findOneOption({
        Request: Schema.Struct({ marketNumber: Schema.Natural, at: Schema.Date }),
        Result: QuoteRow,
        execute: ({ at, marketNumber }) => sql`
          SELECT floor(extract(epoch FROM priced_at) * 1000)::bigint AS at, team1_price AS team1, team2_price AS team2, state
          FROM cs2_odds_prices WHERE market_number = ${marketNumber} AND priced_at <= ${at} ORDER BY priced_at DESC LIMIT 1`,
      })

      const insertQuotes = SqlSchema.findAll({
        Request: Schema.Struct({ marketNumber: Schema.Natural, quotes: Schema.Array(Schema.Json) }),
        Result: Schema.Struct({ at: Counter }),
        execute: ({ marketNumber, quotes }) => sql`
          INSERT INTO cs2_odds_prices (market_number, priced_at, team1_price, team2_price, state)
          SELECT ${marketNumber}, to_timestamp(q.at / 1000), q.team1, q.team2, q.state
          FROM jsonb_to_recordset(${sql.json(quotes)}) AS q (at double precision, team1 double precision, team2 double precision, state text)
          ON CONFLICT DO NOTHING RETURNING floor(extract(epoch FROM priced_at) * 1000)::bigint AS at`,
      })

      // For a market first quoted after the decision: another market on the same map or series stores the time.
      const selectDecision = SqlSchema.findOneOption({
        Request: Schema.Struct({ matchNumber: Schema.Natural, mapNumber: Schema.NullOr(Schema.Natural) }),
        Result: Schema.Struct({ decidedAt: Counter }),
        execute: ({ mapNumber, matchNumber }) => sql`
          SELECT floor(extract(epoch FROM min(decided_at)) * 1000)::bigint AS "decidedAt" FROM cs2_odds_markets
          WHERE match_number = ${matchNumber} AND (map_number IS NULL OR map_number = ${mapNumber}) HAVING min(decided_at) IS NOT NULL`,
      })

      const decideMarkets = SqlSchema.findAll({
        Request: Schema.Struct({ matchNumber: Schema.Natural, mapNumber: Schema.NullOr(Schema.Natural), at: Schema.Date }),
        Result: Schema.Struct({ marketNumber: Counter }),
        execute: ({ at, mapNumber, matchNumber }) => sql`
          WITH undecided AS (
            SELECT market_number, state FROM cs2_odds_markets
            WHERE match_number = ${matchNumber} AND decided_at IS NULL AND (${mapNumber}::integer IS NULL OR map_number = ${mapNumber})
            FOR UPDATE
          ), decided AS (
            UPDATE cs2_odds_markets m SET decided_at = ${at}, last_synced_at = now(),
              state = CASE WHEN u.state = 'open' THEN 'suspended' ELSE u.state END
            FROM undecided u WHERE u.market_number = m.market_number
          ), stopped AS (
            SELECT market_number FROM undecided WHERE state = 'open'
          ), lines AS (
            INSERT INTO cs2_odds_prices (market_number, priced_at, team1_price, team2_price, state)
            SELECT s.market_number, ${at}, p.team1_price, p.team2_price, 'suspended'
            FROM stopped s LEFT JOIN LATERAL (
              SELECT team1_price, team2_price FROM cs2_odds_prices WHERE market_number = s.market_number ORDER BY priced_at DESC LIMIT 1
            ) p ON true
            ON CONFLICT DO NOTHING
          )
          SELECT market_number AS "marketNumber" FROM stopped`,
      })

      const record = Effect.fnUntraced(function* (reported: QuotedMarket) {
        const stored = yield* select({ source: reported.source, key: reported.key })
        const known = Option.getOrUndefined(stored)
        const found = known?.matchNumber != null || reported.matchNumber !== undefined ? undefined : yield* matchOf(reported)
        const swapped = known === undefined ? (found?.swapped ?? false) : nameKey(known.team1Name) !== nameKey(reported.teams[0])
        const market = swapped ? turned(reported) : reported
        const last = market.quotes.at(-1)
        // A quote older than the newest stored price joins the price history but does not change the state.
        const isNews = last !== undefined && (known?.pricedAt == null || last.at >= known.pricedAt)
        const quoted = isNews ? last.state : (known?.state ?? "open")
        const matchNumber = known?.matchNumber ?? market.matchNumber ?? found?.matchNumber ?? null
        const decidedAt = known?.decidedAt ?? market.decidedAt ?? (yield* decisionOf(market, matchNumber))
        const state = nextState(known?.state ?? "open", market.closedAt === undefined ? quoted : "closed", decidedAt !== undefined)
        const changes =
          known === undefined ||
          known.state !== state ||
          known.matchNumber !== matchNumber ||
          (known.decidedAt ?? undefined) !== decidedAt ||
          (market.winner !== undefined && known.winner !== market.winner) ||
          (market.startsAt !== undefined && known.startsAt !== market.startsAt)
        const marketNumber =
          known !== undefined && !changes
            ? known.marketNumber
            : (yield* Effect.catchTag(upsert(rowOf(market, { state, matchNumber, decidedAt })), "NoSuchElementError", Effect.die))[0]
                .marketNumber
        const moves = yield* writeMoves(marketNumber, decidedAt === undefined ? market.quotes : suspendedFrom(market.quotes, decidedAt))
        const outcome = known === undefined ? "created" : changes || moves > 0 ? "updated" : "unchanged"
        return { outcome, moves } satisfies Recorded
      }, sql.withTransaction)

      const matchOf = (reported: QuotedMarket) => {
        const at = reported.startsAt ?? reported.quotes[0]?.at
        return at === undefined
          ? Effect.succeed(undefined)
          : Effect.map(
              findMatch({ team1: nameKey(reported.teams[0]), team2: nameKey(reported.teams[1]), at: new Date(at) }),
              Option.getOrUndefined,
            )
      }

      const decisionOf = ({ kind, mapNumber }: QuotedMarket, matchNumber: number | null) =>
        matchNumber === null
          ? Effect.succeed(undefined)
          : Effect.map(
              selectDecision({ matchNumber, mapNumber: kind === "map_winner" ? (mapNumber ?? null) : null }),
              Option.match({ onNone: () => undefined, onSome: ({ decidedAt }) => decidedAt }),
            )

      const writeMoves = Effect.fnUntraced(function* (marketNumber: number, quotes: ReadonlyArray<Quote>) {
        const [first] = quotes
        if (first === undefined) return 0
        let before: Quote | undefined = Option.getOrUndefined(yield* lastQuote({ marketNumber, at: dateAt(first.at) }))
        const moves: Array<Quote> = []
        for (const quote of quotes) {
          if (!moved(before, quote)) continue
          moves.push(quote)
          before = quote
        }
        if (moves.length === 0) return 0
        return (yield* insertQuotes({ marketNumber, quotes: moves.map((quote) => ({ ...quote })) })).length
      })

      const selectUndecided = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ matchNumber: Counter }),
        execute: () => sql`
          SELECT DISTINCT m.match_number AS "matchNumber" FROM cs2_odds_markets m JOIN matches r USING (match_number)
          WHERE r.game = 'cs2' AND m.decided_at IS NULL AND m.state <> 'closed'
            AND (r.status IN ('scheduled', 'live') OR r.ended_at > now() - interval '1 day')
          ORDER BY 1`,
      })

      const selectPosition = SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: Schema.Struct({ done: Counter }),
        execute: () => sql`SELECT done FROM imports WHERE game = 'cs2' AND source = ${BUS} AND file = ${BUS}`,
      })

      return OddsRecorder.of({
        undecidedMatches: storeOperation(
          "OddsRecorder.undecidedMatches",
          limit,
        )(Effect.map(selectUndecided(), (rows) => rows.map(({ matchNumber }) => matchNumber))),
        position: storeOperation(
          "OddsRecorder.position",
          limit,
        )(Effect.map(selectPosition(), (row) => (Option.isSome(row) ? row.value.done : 0))),
        passed: storeFn("OddsRecorder.passed", limit, (sequence) =>
          Effect.asVoid(sql`
            INSERT INTO imports (game, source, file, fingerprint, done) VALUES ('cs2', ${BUS}, ${BUS}, '', ${sequence})
            ON CONFLICT (game, source, file) DO UPDATE SET done = excluded.done`),
        ),
        record: storeFn("OddsRecorder.record", limit, record),
        decide: storeFn("OddsRecorder.decide", limit, (matchNumber, mapNumber, at) =>
          Effect.map(decideMarkets({ matchNumber, mapNumber: mapNumber ?? null, at: dateAt(at) }), (stopped) => stopped.length),
        ),
      })
    }),
  )
}

/** Row of the `imports` table that stores how far the event bus has been read. */
const BUS = "odds-feed"

const turned = (market: QuotedMarket): QuotedMarket => ({
  ...market,
  teams: [market.teams[1], market.teams[0]],
  winner: market.winner === undefined ? undefined : market.winner === 1 ? 2 : 1,
  quotes: market.quotes.map((quote) => ({ ...quote, team1: quote.team2, team2: quote.team1 })),
})
