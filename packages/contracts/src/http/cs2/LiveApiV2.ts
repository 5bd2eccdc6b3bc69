/**
 * The live section in shape v2, as a contract of its own: the typed client of `MatchpointApiV2` always asks for it. The server serves
 * both contracts on the same paths; `describeV2` adds the second representation to the OpenAPI document of the first.
 */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { pageQuery } from "../envelope.ts"
import { MatchNotFound } from "../errors.ts"
import { Metering, Section } from "../Metering.ts"
import { RequestRules } from "../RequestRules.ts"
import { liveParams, livePaths, snapshotQuery } from "./LiveApi.ts"
import { answersV2 } from "./liveAnswers.ts"

const v2 = { shape: Schema.Literal("v2") } as const

const ofMatch = { params: liveParams, error: MatchNotFound } as const

export class LiveApiV2 extends HttpApiGroup.make("cs2-live")
  .add(
    HttpApiEndpoint.get("list", livePaths.list, { query: { ...pageQuery, ...v2 }, success: answersV2.list }),
    HttpApiEndpoint.get("socket", livePaths.socket, { ...ofMatch, query: v2, success: answersV2.socket }),
    HttpApiEndpoint.get("scoreboard", livePaths.scoreboard, { ...ofMatch, query: v2, success: answersV2.scoreboard }),
    HttpApiEndpoint.get("state", livePaths.state, { ...ofMatch, query: v2, success: answersV2.state }),
    HttpApiEndpoint.get("rounds", livePaths.rounds, {
      ...ofMatch,
      query: { ...pageQuery, ...v2 },
      success: answersV2.rounds,
    }),
    HttpApiEndpoint.get("events", livePaths.events, {
      ...ofMatch,
      query: { ...pageQuery, ...v2 },
      success: answersV2.events,
    }),
    HttpApiEndpoint.get("playerStats", livePaths.playerStats, {
      ...ofMatch,
      query: { ...pageQuery, ...v2 },
      success: answersV2.playerStats,
    }),
    HttpApiEndpoint.get("maps", livePaths.maps, { ...ofMatch, query: v2, success: answersV2.maps }),
    HttpApiEndpoint.get("snapshots", livePaths.snapshots, {
      ...ofMatch,
      query: { ...snapshotQuery, ...v2 },
      success: answersV2.snapshots,
    }),
  )
  .annotate(Section, "cs2")
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules) {}

/** For `HttpApiClient.make`: every answer in shape v2. `root` is that of `MatchpointApi`. */
export const apiV2 = <const Root extends `/${string}`>(root: Root) => HttpApi.make("matchpoint-v2").add(LiveApiV2).prefix(root)

type Json = Readonly<Record<string, unknown>>

/** Adds the v2 representation, and the schemas it needs, to every path that has one. */
export const describeV2 =
  (root: `/${string}`) =>
  (document: Json): Record<string, unknown> => {
    const other = JSON.parse(JSON.stringify(OpenApi.fromApi(apiV2(root)))) as Json
    const paths = { ...objectIn(document, "paths") }
    for (const [path, item] of Object.entries(objectIn(other, "paths"))) {
      const added = objectIn(objectIn(objectIn(objectIn(item, "get"), "responses"), "200"), "content")
      const known = objectIn(paths, path)
      const get = objectIn(known, "get")
      const responses = objectIn(get, "responses")
      const ok = objectIn(responses, "200")
      paths[path] = {
        ...known,
        get: {
          ...get,
          responses: {
            ...responses,
            "200": { ...ok, headers: answerHeaders, content: { ...objectIn(ok, "content"), ...added } },
            "304": { description: "The answer is the one you have: `If-None-Match` names its `ETag`", headers: answerHeaders },
          },
        },
      }
    }
    const components = objectIn(document, "components")
    const schemas = { ...objectIn(objectIn(other, "components"), "schemas"), ...objectIn(components, "schemas") }
    return { ...document, paths, components: { ...components, schemas } }
  }

const answerHeaders = {
  ETag: {
    description: "Changes with every frame of what is shown, and with the shape; send it back as `If-None-Match`",
    schema: { type: "string" },
  },
  "Cache-Control": { description: "`private, no-cache`: keep it, but ask before using it again", schema: { type: "string" } },
  Vary: { description: "`Accept` chooses the shape", schema: { type: "string" } },
}

const objectIn = (object: unknown, key: string): Json => {
  const value = typeof object === "object" && object !== null ? (object as Json)[key] : undefined
  return typeof value === "object" && value !== null ? (value as Json) : {}
}
