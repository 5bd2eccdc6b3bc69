/**
 * Operations of the data sections as the product's own OpenAPI document describes them, each with values for which the
 * sample archive has data. Tests iterate over this list. A new operation is tested automatically. If one of its
 * parameters has no value here, the tests fail.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query"]),
  required: Schema.Boolean,
  description: Schema.String,
  schema: Schema.Struct({
    type: Schema.Literals(["string", "integer"]),
    enum: Schema.optionalKey(Schema.Array(Schema.String)),
    pattern: Schema.optionalKey(Schema.String),
    minimum: Schema.optionalKey(Schema.Finite),
    maximum: Schema.optionalKey(Schema.Finite),
    maxLength: Schema.optionalKey(Schema.Finite),
  }),
})
export type Parameter = typeof Parameter.Type

export interface Operation {
  /** Path below the API's root, as in the document. */
  readonly path: string
  readonly description: string
  readonly inPath: ReadonlyArray<Parameter>
  readonly inQuery: ReadonlyArray<Parameter>
}

const Document = Schema.Struct({
  paths: Schema.Record(
    Schema.String,
    Schema.Struct({ get: Schema.optionalKey(Schema.Struct({ description: Schema.String, parameters: Schema.Array(Schema.Unknown) })) }),
  ),
})

const isOfArchive = (path: string) => /^\/cs2(\/(?!live(\/|$))|$)/.test(path)
const parametersOf = Schema.decodeUnknownSync(Schema.Array(Parameter))

export const operations: ReadonlyArray<Operation> = Object.entries(
  Schema.decodeUnknownSync(Document)(OpenApi.fromApi(MatchpointApi)).paths,
).flatMap(([rooted, { get }]) => {
  const path = rooted.slice(API_ROOT.length)
  if (get === undefined || !isOfArchive(path)) return []
  const parameters = parametersOf(get.parameters)
  const at = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place)
  return [{ path, description: get.description, inPath: at("path"), inQuery: at("query") }]
})

export const takes = (name: string) => operations.filter(({ inQuery }) => inQuery.some((parameter) => parameter.name === name))

/** Ids and slugs of the sample by path parameter, chosen for the most data. */
const inPath: Readonly<Record<string, string>> = {
  matchId: "cs2-match-1001",
  gameId: "cs2-match-1001-map-1",
  mapId: "cs2-match-1001-map-1",
  marketId: "cs2-odds-1",
  eventId: "cs2-event-11",
  eventIdOrSlug: "cs2-event-11",
  teamId: "cs2-team-1",
  teamIdOrSlug: "cs2-team-1",
  playerId: "cs2-player-101",
  playerIdOrSlug: "cs2-player-101",
  skinIdOrSlug: "cs2-skin-1",
  metric: "rating",
}

/** Values of required query parameters. */
const required: Readonly<Record<string, string>> = { q: "alpha", team: "cs2-team-1", team1: "cs2-team-1", team2: "cs2-team-2" }

const chosen = (values: Readonly<Record<string, string>>, { name }: Parameter): string => {
  const value = values[name]
  if (value === undefined) throw new Error(`the sample has no value of ${name}: add one`)
  return value
}

/**
 * Builds an address for which the sample has data. `path` and `query` override the default values. Undefined leaves a
 * query parameter out.
 */
export const addressOf = (
  operation: Operation,
  query: Readonly<Record<string, string | number | undefined>> = {},
  path: Readonly<Record<string, string>> = {},
): string => {
  const place = operation.inPath.reduce(
    (at, parameter) => at.replace(`{${parameter.name}}`, path[parameter.name] ?? chosen(inPath, parameter)),
    operation.path,
  )
  const must = operation.inQuery.filter((parameter) => parameter.required)
  const asked = { ...Object.fromEntries(must.map((parameter) => [parameter.name, chosen(required, parameter)])), ...query }
  const search = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  )
  return search.length === 0 ? place : `${place}?${search.join("&")}`
}

/** Fields that hold the rows of a list if `data` itself is not an array. */
const lists = ["events", "changes", "transfers", "spells", "maps"]

/** Returns the rows of a list response. */
export const rowsOf = (data: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(data)) return data
  const within = typeof data === "object" && data !== null ? Object.entries(data) : []
  const rows = within.find(([name, value]) => lists.includes(name) && Array.isArray(value))?.[1]
  if (!Array.isArray(rows)) throw new Error("the response is not a list")
  return rows
}
