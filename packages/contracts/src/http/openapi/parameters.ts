/**
 * Parameters as the document tells them. In a query everything is text, and the contract's codecs say so; here a parameter is what its text
 * stands for: a number with its bounds, a list whose values are separated by commas.
 */
import { type JsonSchema, Schema } from "effect"
import type { OpenApi } from "effect/http-api"
import type { Parameter } from "./Document.ts"

/** `query`: the endpoint's schema of it. */
export const parametersOf = (
  parameters: ReadonlyArray<OpenApi.OpenAPISpecParameter>,
  query: Schema.Constraint | undefined,
): ReadonlyArray<Parameter> => {
  const meant: Readonly<Record<string, JsonSchema.JsonSchema>> =
    query === undefined ? {} : readProperties(Schema.toJsonSchemaDocument(Schema.toType(query)).schema).properties
  return parameters.map(({ name, in: place, required, schema }) => {
    const told: JsonSchema.JsonSchema = { ...((place === "query" ? meant[name] : undefined) ?? schema) }
    const { description, ...rest } = told
    return {
      name,
      in: place,
      required,
      description: typeof description === "string" ? description : (known[name] ?? name),
      ...(rest["type"] === "array" ? { style: "form", explode: false } : {}),
      schema: rest,
    }
  })
}

/** Of those that mean the same everywhere. */
const known: Readonly<Record<string, string>> = {
  matchId: "The match, `cs2-match-<number>`",
  gameId: "A map of a match, `cs2-match-<number>-map-<number>`",
  mapId: "A map of a match, `cs2-match-<number>-map-<number>`",
  marketId: "The market, `cs2-odds-<number>`",
  skinIdOrSlug: "Id or slug: `cs2-skin-12` or `ak-47-redline-field-tested`",
  metric: "What the leaderboard is about",
  sessionId: "The stream, as the list of receipts names it",
  limit: "How many to a page; more than the maximum is reduced to it",
  page: "Counted from 1",
  status: "Only these; `scheduled`, where it is known, is another name of `upcoming`",
  summary: "Only the fields of a line of a list",
  sort: "The order",
  from: "From this time on, ISO 8601; UTC where it names no zone",
  to: "Up to this time, it included",
}

const readProperties = Schema.decodeUnknownSync(
  Schema.Struct({ properties: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)) }),
)
