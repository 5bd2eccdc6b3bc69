/**
 * Query parameters in the OpenAPI document. The contract encodes each as text; the document describes the decoded
 * value: for example, a number with its bounds or a list separated by commas.
 */
import { type JsonSchema, Schema } from "effect"
import type { OpenApi } from "effect/http-api"
import type { Parameter } from "./Document.ts"

/** `query` is the schema of the endpoint's query parameters. */
export const parametersOf = (
  parameters: ReadonlyArray<OpenApi.OpenAPISpecParameter>,
  query: Schema.Constraint | undefined,
): ReadonlyArray<Parameter> => {
  const queryProperties: Readonly<Record<string, JsonSchema.JsonSchema>> =
    query === undefined ? {} : readProperties(Schema.toJsonSchemaDocument(Schema.toType(query)).schema).properties
  return parameters.map(({ name, in: place, required, schema }) => {
    const annotated: JsonSchema.JsonSchema = { ...((place === "query" ? queryProperties[name] : undefined) ?? schema) }
    const { description, ...rest } = annotated
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

/** Description of a parameter with the same meaning in every endpoint. */
export const knownDescription = (name: string): string | undefined => known[name]

const known: Readonly<Record<string, string>> = {
  matchId: "Id of the match: `cs2-match-<number>`",
  gameId: "Id of a map of a match: `cs2-match-<number>-map-<number>`",
  mapId: "Id of a map of a match: `cs2-match-<number>-map-<number>`",
  marketId: "Id of the market: `cs2-odds-<number>`",
  skinIdOrSlug: "Id or slug: `cs2-skin-12` or `ak-47-redline-field-tested`",
  metric: "Metric that the leaderboard ranks by",
  webhookId: "Id of the webhook",
  deliveryId: "Id of the delivery, from the log of deliveries",
  sessionId: "Id of the stream, `sessionId` of a receipt",
  limit: "Rows per page. Larger values than the maximum are reduced to it",
  page: "Number of the page, from 1",
  status: "Only rows with this status. `scheduled`, where listed, is an alias of `upcoming`",
  summary: "true: only a short set of fields",
  sort: "Order of the rows",
  from: "Start of the time range, inclusive, ISO 8601. UTC if it has no zone",
  to: "End of the time range, inclusive, ISO 8601. UTC if it has no zone. A day without a time is included as a whole",
}

const readProperties = Schema.decodeUnknownSync(
  Schema.Struct({ properties: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)) }),
)
