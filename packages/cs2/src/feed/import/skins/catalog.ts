/**
 * Import source `skin-catalog`: skins with rarity, collection, release date and the price of each wear level in US
 * dollars. Each file is one JSON object with a field `skins`. A price of 0 means that the skin is not for sale, and is
 * not imported.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { jsonAs } from "@matchpoint/game/feed/import/files"
import { accept, defineSource, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Option, Schema, Stream } from "effect"
import type { QuotedSkin } from "../../../archive/skins/SkinMarket.ts"
import { writeSkins } from "./priceHistory.ts"

const SOURCE = "skin-catalog"

const Price = Schema.Struct({ usd: Schema.Finite, last_updated: Schema.optionalKey(Schema.NullOr(StorableText)) })

const Skin = Schema.Struct({
  weapon: StorableText,
  skin_name: StorableText,
  rarity: Schema.optionalKey(Schema.NullOr(StorableText)),
  collection: Schema.optionalKey(Schema.NullOr(StorableText)),
  introduced: Schema.optionalKey(Schema.NullOr(StorableText)),
  variants: Schema.Array(
    Schema.Struct({
      wear: StorableText,
      prices: Schema.optionalKey(Schema.Struct({ normal: Schema.optionalKey(Price), stattrak: Schema.optionalKey(Price) })),
    }),
  ),
})
const decodeSkin = Schema.decodeUnknownOption(Skin)

/** One record per variant that is sold: every wear level, with and without StatTrak. */
export const readSkin = (value: unknown): ReadonlyArray<ReadRecord<QuotedSkin>> => {
  const decoded = decodeSkin(value)
  if (Option.isNone(decoded)) return [reject("the skin needs a weapon, a name and variants", value)]
  const { collection, introduced, rarity, skin_name, variants, weapon } = decoded.value
  const known = {
    source: SOURCE,
    rarity: rarity ?? undefined,
    collection: collection ?? undefined,
    introducedOn: dayOf(introduced ?? undefined),
  }
  const items = variants.flatMap(({ prices, wear }) =>
    [
      [`${weapon} | ${skin_name} (${wear})`, prices?.normal] as const,
      [`StatTrak™ ${weapon} | ${skin_name} (${wear})`, prices?.stattrak] as const,
    ].flatMap(([marketName, price]): ReadonlyArray<ReadRecord<QuotedSkin>> => {
      const pricedOn = dayOf(price?.last_updated ?? undefined)
      if (price === undefined || price.usd <= 0 || pricedOn === undefined) return []
      return [accept({ ...known, marketName, prices: [{ pricedOn, currency: "USD", minorUnits: Math.round(price.usd * 100) }] })]
    }),
  )
  return items
}

/** `14 August 2013`, or an ISO time. Undefined for any other text. */
const dayOf = (text: string | undefined): string | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(/^\d{1,2} [A-Z]/.test(text) ? `${text} UTC` : text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10)
}

export const skinCatalog = defineSource({
  name: SOURCE,
  summary: "skins with rarity, collection and dollar prices: skins_database*.json(.gz)",
  version: 1,
  takes: (name) => /(^|\/)skins[_-]database[^/]*\.json(\.gz|\.xz)?$/.test(name),
  batchSize: 500,
  read: (file) =>
    Stream.unwrap(
      Effect.map(jsonAs(file, Schema.Struct({ skins: Schema.Array(Schema.Unknown) })), ({ skins }) =>
        Stream.flatMap(Stream.fromIterable(skins), (skin) => Stream.fromIterable(readSkin(skin))),
      ),
    ),
  write: writeSkins,
})
