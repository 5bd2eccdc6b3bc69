/** Reads (as API responses) and writes skins and their price history. Writing the same data again changes nothing. */
import { hash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { type Order, readCursor } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { SkinItem, SkinPrice } from "../../contract/http/data/endpoints/SkinsApi.ts"
import { normalizedWords, searchKey, slugOf } from "../../rules/archive/names.ts"
import { readMarketName } from "../../rules/skins/marketName.ts"

export interface SkinFilter extends PageWindow {
  readonly q?: string | undefined
  readonly weapon?: string | undefined
  readonly wear?: string | undefined
  readonly statTrak?: boolean | undefined
}

/** `from` and `to` are days, both inclusive. */
export interface PriceFilter extends PageWindow {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly currency?: string | undefined
}

/** A skin as reported by a market. Prices are in minor units of their currency, such as cents. */
export interface QuotedSkin {
  readonly source: string
  readonly marketName: string
  readonly rarity?: string | undefined
  readonly collection?: string | undefined
  /** Day on which the skin was introduced, YYYY-MM-DD. */
  readonly introducedOn?: string | undefined
  readonly prices: ReadonlyArray<{ readonly pricedOn: string; readonly currency: string; readonly minorUnits: number }>
}

export class SkinMarket extends Context.Service<
  SkinMarket,
  {
    /**
     * Sorts by market name. With `q`: names that contain all words of `q`, shortest first, or else the most similar
     * names.
     */
    readonly list: (filter: SkinFilter) => Effect.Effect<Listed<SkinItem>, StoreError | ForeignCursor>
    readonly find: (idOrSlug: string) => Effect.Effect<Option.Option<SkinItem>, StoreError>
    /** Lists the prices of an item, oldest first. */
    readonly prices: (skinId: string, filter: PriceFilter) => Effect.Effect<Listed<SkinPrice>, StoreError | ForeignCursor>
    /** One transaction. `touched` counts skins that are new or changed in any way, `prices` new or changed prices. */
    readonly write: (
      skins: ReadonlyArray<QuotedSkin>,
    ) => Effect.Effect<{ readonly created: number; readonly touched: number; readonly prices: number }, StoreError>
  }
>()("@matchpoint/cs2/archive/skins/SkinMarket") {
  static readonly layer = Layer.effect(
    SkinMarket,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const item = sql.literal(`jsonb_build_object(
        'entityType', 'cs2_skin', 'id', 'cs2-skin-' || k.skin_number, 'slug', k.slug, 'marketName', k.market_name, 'weapon', k.weapon,
        'skinName', k.skin_name, 'wear', k.wear, 'statTrak', k.stat_trak, 'souvenir', k.souvenir, 'category', k.category,
        'rarity', k.rarity, 'collection', k.collection, 'introducedOn', k.introduced_on,
        'price', (SELECT jsonb_build_object('pricedOn', p.priced_on, 'currency', p.currency, 'amount', p.minor_units / 100.0,
            'minorUnits', p.minor_units)
          FROM cs2_skin_prices p WHERE p.skin_number = k.skin_number ORDER BY p.priced_on DESC, p.currency LIMIT 1),
        'source', k.source, 'lastSyncedAt', iso_utc(k.last_synced_at))`)

      const where = ({ statTrak, weapon, wear }: SkinFilter, ofWords: Fragment = sql`true`) =>
        sql.and([
          ofWords,
          ...(weapon === undefined ? [] : [sql`k.weapon = ${weapon}`]),
          ...(wear === undefined ? [] : [sql`k.wear = ${wear}`]),
          ...(statTrak === undefined ? [] : [sql`k.stat_trak = ${statTrak}`]),
        ])

      const plain = (filter: SkinFilter) => ({ order: BY_NAME, from: sql`cs2_skins k WHERE ${where(filter)}` })

      /** Each word of the query begins a word of the name. Shorter names come first: the query covers more of them. */
      const written = (q: string, filter: SkinFilter) => {
        const words = normalizedWords(q)
        const begin = words.map((word) => sql`(k.words LIKE ${`${word}%`} OR k.words LIKE ${`% ${word}%`})`)
        return { order: shortest(q), from: sql`cs2_skins k WHERE ${where(filter, sql.and(begin))}` }
      }

      /** More expensive than a search by words, because the query is compared with many names. */
      const similar = (q: string, filter: SkinFilter) => {
        const asked = sql`CROSS JOIN (SELECT ${searchKey(q)}::text AS words) AS asked`
        return { order: mostLike(q), from: sql`cs2_skins k ${asked} WHERE ${where(filter, sql`asked.words <% k.words`)}`, joins: asked }
      }

      /**
       * Searches by words or, if nothing is found, by similarity, which tolerates typos. Later pages search as the
       * first did.
       */
      const likely = Effect.fnUntraced(
        function* (q: string, filter: SkinFilter) {
          const { from, order } = written(q, filter)
          if (filter.cursor !== undefined) return Option.isSome(readCursor(order, filter.cursor)) ? written(q, filter) : similar(q, filter)
          if (normalizedWords(q).length === 0) return similar(q, filter)
          // Without `MATERIALIZED`, `LIMIT 1` makes the planner scan the table until it finds a match, or to the end.
          const found = yield* sql`WITH named AS MATERIALIZED (SELECT k.skin_number FROM ${from}) SELECT true AS found FROM named LIMIT 1`
          return found.length > 0 ? written(q, filter) : similar(q, filter)
        },
        storeOperation("SkinMarket.list", timeout),
      )

      const find = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ row: SkinItem }),
        execute: (idOrSlug) => {
          const number = skinNumber(idOrSlug)
          return number === undefined
            ? sql`SELECT ${item} AS row FROM cs2_skins k WHERE k.slug = ${idOrSlug}`
            : sql`SELECT ${item} AS row FROM cs2_skins k WHERE k.skin_number = ${number}`
        },
      })

      const priceRange = (number: number, { currency, from, to }: PriceFilter) =>
        sql.and([
          sql`p.skin_number = ${number}`,
          ...(currency === undefined ? [] : [sql`p.currency = ${currency}`]),
          ...(from === undefined ? [] : [sql`p.priced_on >= ${from}::timestamptz::date`]),
          ...(to === undefined ? [] : [sql`p.priced_on <= ${to}::timestamptz::date`]),
        ])

      const upsert = SqlSchema.findAll({
        Request: Schema.Array(Schema.Json),
        Result: Schema.Struct({ skin: Counter, isNew: Schema.Boolean }),
        execute: (rows) => sql`
          INSERT INTO cs2_skins AS stored (market_name, slug, words, weapon, skin_name, wear, stat_trak, souvenir, category, rarity, collection,
            introduced_on, source)
          SELECT r.* FROM jsonb_to_recordset(${sql.json(rows)}) AS r (market_name text, slug text, words text, weapon text, skin_name text,
            wear text, stat_trak boolean, souvenir boolean, category text, rarity text, collection text, introduced_on date, source text)
          ON CONFLICT (market_name) DO UPDATE SET rarity = COALESCE(excluded.rarity, stored.rarity),
            collection = COALESCE(excluded.collection, stored.collection),
            introduced_on = COALESCE(excluded.introduced_on, stored.introduced_on), last_synced_at = now()
          WHERE (COALESCE(excluded.rarity, stored.rarity), COALESCE(excluded.collection, stored.collection),
              COALESCE(excluded.introduced_on, stored.introduced_on))
            IS DISTINCT FROM (stored.rarity, stored.collection, stored.introduced_on)
          RETURNING skin_number AS skin, (xmax = 0) AS "isNew"`,
      })

      const slugsTaken = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: Schema.Struct({ slug: Schema.String, marketName: Schema.String }),
        execute: (slugs) => sql`
          SELECT slug, market_name AS "marketName" FROM cs2_skins WHERE slug = ANY(${slugs}::text[])`,
      })

      /** Names that differ only in case or symbols share a slug: the first gets it, the others append a hash of the name. */
      const withSlugs = Effect.fnUntraced(function* (skins: ReadonlyArray<QuotedSkin>) {
        const rows = skins.map(rowOf)
        const taken = new Map((yield* slugsTaken(rows.map(({ slug }) => slug))).map(({ marketName, slug }) => [slug, marketName]))
        return rows.map((row) => {
          const owner = taken.get(row.slug) ?? row.market_name
          taken.set(row.slug, owner)
          return owner === row.market_name ? row : { ...row, slug: `${row.slug}-${hash("sha1", row.market_name).slice(0, 6)}` }
        })
      })

      const upsertPrices = SqlSchema.findAll({
        Request: Schema.Array(Schema.Json),
        Result: Schema.Struct({ skin: Counter }),
        execute: (rows) => sql`
          INSERT INTO cs2_skin_prices AS stored (skin_number, priced_on, currency, minor_units)
          SELECT k.skin_number, r.priced_on, r.currency, r.minor_units
          FROM jsonb_to_recordset(${sql.json(rows)}) AS r (market_name text, priced_on date, currency text, minor_units bigint)
          JOIN cs2_skins k USING (market_name)
          ON CONFLICT (skin_number, currency, priced_on) DO UPDATE SET minor_units = excluded.minor_units
          WHERE stored.minor_units <> excluded.minor_units
          RETURNING skin_number AS skin`,
      })

      const write = Effect.fnUntraced(function* (skins: ReadonlyArray<QuotedSkin>) {
        // Keeps only one report per skin, because one SQL statement cannot update a row twice.
        const items = yield* upsert(yield* withSlugs([...new Map(skins.map((skin) => [skin.marketName, skin])).values()]))
        const lines = skins.flatMap(({ marketName, prices }) =>
          prices.map(({ currency, minorUnits, pricedOn }) => ({
            market_name: marketName,
            priced_on: pricedOn,
            currency,
            minor_units: minorUnits,
          })),
        )
        const written = yield* upsertPrices([
          ...new Map(lines.map((line) => [`${line.market_name} ${line.currency} ${line.priced_on}`, line])).values(),
        ])
        const touched = new Set([...items, ...written].map(({ skin }) => skin)).size
        return { created: items.filter(({ isNew }) => isNew).length, touched, prices: written.length }
      }, sql.withTransaction)

      return SkinMarket.of({
        list: Effect.fn("SkinMarket.list")(function* (filter) {
          const which = filter.q === undefined ? plain(filter) : yield* likely(filter.q, filter)
          return yield* readList(sql, { model: SkinItem, of: "cs2_skins k", key: ["skin_number"], row: item, ...which }, filter, {
            name: "SkinMarket.list",
            timeout,
          })
        }),
        find: storeFn("SkinMarket.find", timeout, (idOrSlug) =>
          Effect.map(
            find(idOrSlug),
            Option.map(({ row }) => row),
          ),
        ),
        prices: (skinId, filter) =>
          readList(
            sql,
            {
              model: SkinPrice,
              order: OLDEST,
              from: sql`cs2_skin_prices p WHERE ${priceRange(skinNumber(skinId) ?? 0, filter)}`,
              of: "cs2_skin_prices p",
              key: ["skin_number", "currency", "priced_on"],
              row: sql.literal(`jsonb_build_object(
                'pricedOn', p.priced_on, 'currency', p.currency, 'amount', p.minor_units / 100.0, 'minorUnits', p.minor_units)`),
            },
            filter,
            { name: "SkinMarket.prices", timeout },
          ),
        write: storeFn("SkinMarket.write", timeout, write),
      })
    }),
  )
}

const BY_NAME: Order = { name: "skins-by-name", keys: [{ of: "k.market_name", type: "text" }] }

/** The name of the order includes the query, so that another query does not accept its pagination cursor. */
const shortest = (q: string): Order => ({
  name: `skins-written-${q}`,
  keys: [
    { of: "length(k.words)", type: "bigint" },
    { of: "k.market_name", type: "text" },
  ],
})

const mostLike = (q: string): Order => ({
  name: `skins-like-${q}`,
  keys: [
    { of: "word_similarity(asked.words, k.words)::double precision", type: "double precision", descending: true },
    { of: "length(k.words)", type: "bigint" },
    { of: "k.market_name", type: "text" },
  ],
})

const OLDEST: Order = {
  name: "skin-prices-oldest",
  keys: [
    { of: "p.priced_on", type: "date" },
    { of: "p.currency", type: "text" },
  ],
}

const skinNumber = (idOrSlug: string): number | undefined => {
  const number = /^cs2-skin-([1-9][0-9]{0,15})$/.exec(idOrSlug)?.[1]
  return number === undefined ? undefined : Number(number)
}

const rowOf = ({ collection, introducedOn, marketName, rarity, source }: QuotedSkin) => {
  const { category, skinName, souvenir, statTrak, weapon, wear } = readMarketName(marketName)
  return {
    market_name: marketName,
    // Slugs omit symbols, but the star in a market name distinguishes a knife from another item of the same name. It is
    // therefore replaced with the word `star`.
    slug: slugOf(`${marketName.startsWith("★") ? "star " : ""}${marketName}`, "item"),
    words: searchKey(marketName),
    weapon,
    skin_name: skinName,
    wear,
    stat_trak: statTrak,
    souvenir,
    category,
    rarity: rarity ?? null,
    collection: collection ?? null,
    introduced_on: introducedOn ?? null,
    source,
  }
}
