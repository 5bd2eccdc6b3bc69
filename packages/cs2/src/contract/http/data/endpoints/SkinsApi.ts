/** Market prices of skins and their history. The API specification does not define the fields. */
import { success } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe, Flag, rangeQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PlainText } from "../references.ts"

const nullable = Schema.NullOr
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))

/** ISO 4217 currency code. */
const Currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))

/** `amount` has two decimal places. `minorUnits` is the same in hundredths, an integer without rounding errors. */
export const SkinPrice = Schema.Struct({ pricedOn: Day, currency: Currency, amount: Schema.Finite, minorUnits: Schema.Natural }).annotate({
  identifier: "SkinPrice",
})
export type SkinPrice = typeof SkinPrice.Type

export const Wear = Schema.Literals(["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"])

export const SkinItem = Schema.Struct({
  entityType: Schema.Literal("cs2_skin"),
  id: Schema.String.annotate({ description: "`cs2-skin-<n>`" }),
  slug: Schema.String,
  marketName: Schema.String.annotate({ description: "Name on the market, including the wear" }),
  weapon: nullable(Schema.String),
  skinName: nullable(Schema.String),
  wear: nullable(Wear),
  statTrak: Schema.Boolean,
  souvenir: Schema.Boolean,
  category: nullable(Schema.String),
  rarity: nullable(Schema.String),
  collection: nullable(Schema.String),
  introducedOn: nullable(Day),
  price: nullable(SkinPrice).annotate({ description: "Newest price" }),
  source: Schema.String,
  lastSyncedAt: Timestamp,
}).annotate({ identifier: "SkinItem" })
export type SkinItem = typeof SkinItem.Type

export class SkinsApi extends HttpApiGroup.make("cs2-skins")
  .add(
    HttpApiEndpoint.get("list", "/cs2/skins", {
      query: {
        ...cursorQuery,
        q: Schema.optionalKey(PlainText.check(Schema.isMinLength(2)).annotate({ description: "Name of the item, or a similar text" })),
        weapon: Schema.optionalKey(
          PlainText.annotate({ description: "Only skins of this weapon, spelled as in `weapon` of the items: `AK-47`" }),
        ),
        wear: Schema.optionalKey(Wear.annotate({ description: "Only skins of this wear" })),
        statTrak: Schema.optionalKey(Flag.annotate({ description: "true: only StatTrak items. false: only others" })),
      },
      success: success(Schema.Array(SkinItem), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Skins",
        "Items by market name. With `q`, the most similar names come first; typing errors are tolerated. `limit` is at most 100.",
      ),
    ),
    HttpApiEndpoint.get("one", "/cs2/skins/:skinIdOrSlug", {
      params: { skinIdOrSlug: PlainText },
      success: success(SkinItem, Schema.Struct({})),
      error: [NotFound, ...archiveErrors],
    }).annotateMerge(describe("One skin", "One item with its newest price.")),
    HttpApiEndpoint.get("prices", "/cs2/skins/:skinIdOrSlug/prices", {
      params: { skinIdOrSlug: PlainText },
      query: {
        ...cursorQuery,
        ...rangeQuery,
        currency: Schema.optionalKey(Currency.annotate({ description: "Prices in this currency, ISO 4217: `USD`" })),
      },
      success: success(Schema.Array(SkinPrice), CursorPaging),
      error: [NotFound, ...archiveErrors],
    }).annotateMerge(describe("Price history", "Prices of an item, oldest first. `limit` is at most 1,000.")),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(OpenApi.annotations({ title: "CS2 skins", description: "Skin items and the history of their market prices." })) {}
