import { PgClient } from "@effect/sql-pg"
import { foldName } from "@matchpoint/domain/names/foldName"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { ApexPlayerRow, ApexTransactionRow } from "../../contract/http/data/statsModels.ts"
import type { ApexTransaction, Region } from "../../rules/archive/series.ts"

export interface TransactionFilter {
  readonly type?: ApexTransaction["type"] | undefined
  readonly region?: Region | undefined
  /** Name in any case, before or after the change. */
  readonly team?: string | undefined
  /** Id or name in any case. */
  readonly player?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export interface SearchFilter {
  readonly text: string
  readonly region?: Region | undefined
  readonly limit: number
}

export class ApexPeople extends Context.Service<
  ApexPeople,
  {
    /** Players whose name contains the text or is similar to it, the best fitting and best known ones first. */
    readonly search: (filter: SearchFilter) => Effect.Effect<ReadonlyArray<ApexPlayerRow>, StoreError>
    readonly hasPlayers: Effect.Effect<boolean, StoreError>
    readonly transactions: (
      filter: TransactionFilter,
      window: PageWindow,
    ) => Effect.Effect<Listed<ApexTransactionRow>, StoreError | ForeignCursor>
    readonly hasTransactions: Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/apex/archive/read/ApexPeople") {
  static readonly layer = Layer.effect(
    ApexPeople,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout
      const has = (table: string, name: string) =>
        sql`SELECT 1 FROM ${sql(table)} LIMIT 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          storeOperation(`ApexPeople.${name}`, timeout),
          Effect.withSpan(`ApexPeople.${name}`),
        )

      return ApexPeople.of({
        search: storeFn("ApexPeople.search", timeout, ({ limit, region, text }) => {
          const searched = foldName(text).slice(0, LONGEST_TEXT)
          if (searched === "") return Effect.succeed([])
          const inRegion = region === undefined ? sql`true` : sql`(p.details->'regions')::jsonb @> to_jsonb(ARRAY[${region}])`
          return players(sql`
            SELECT p.details AS row FROM apex_players p
            CROSS JOIN LATERAL (SELECT CASE
              WHEN p.words = ${searched} THEN ${fits.exact}::real
              WHEN starts_with(p.words, ${searched}) THEN ${fits.beginning}
              WHEN strpos(p.words, ${searched}) > 0 THEN ${fits.inside}
              ELSE ${fits.similar} + 4 * similarity(p.words, ${searched}) END AS fit) AS f
            WHERE (p.words LIKE ${`%${searched}%`} OR p.words % ${searched}) AND p.details IS NOT NULL AND ${inRegion}
            ORDER BY f.fit + ln(1 + p.matches) DESC, p.player_id LIMIT ${limit}`)
        }),
        hasPlayers: has("apex_players", "hasPlayers"),
        hasTransactions: has("apex_transactions", "hasTransactions"),
        transactions: ({ from, player, region, team, to, type }, window) =>
          readList(
            sql,
            {
              model: ApexTransactionRow,
              order: NEWEST,
              from: sql`apex_transactions e WHERE ${sql.and([
                sql`true`,
                ...(type === undefined ? [] : [sql`e.type = ${type}`]),
                ...(region === undefined ? [] : [sql`e.region = ${region}`]),
                ...(team === undefined
                  ? []
                  : [sql`lower(${team}) IN (lower(e.team_name), lower(e.details->>'before'), lower(e.details->>'after'))`]),
                ...(player === undefined ? [] : [sql`(e.player_id = ${player} OR lower(e.player_name) = lower(${player}))`]),
                ...(from === undefined ? [] : [sql`e.day >= ${from}::timestamptz AT TIME ZONE 'UTC'`]),
                ...(to === undefined ? [] : [sql`e.day <= ${to}::timestamptz AT TIME ZONE 'UTC'`]),
              ])}`,
              of: "apex_transactions e",
              key: ["transaction_id"],
              row: sql.literal("e.details"),
            },
            window,
            { name: "ApexPeople.transactions", timeout },
          ),
      })
    }),
  )
}

const players = rowsOf(ApexPlayerRow)

/** Longest text that is searched, in characters. */
const LONGEST_TEXT = 64

/** How well each kind of hit fits, in steps of the logarithm of the matches of a player. */
const fits = { exact: 4, beginning: 2, inside: 0, similar: -8 } as const

const NEWEST: Order = {
  name: "apex-transactions-newest",
  keys: [
    { of: "e.day", type: "date", descending: true },
    { of: "e.transaction_id", type: "text", descending: true },
  ],
}
