/**
 * Determines which methods the contracts define for a path. This distinguishes a request with a wrong method (405) from
 * a request for an unknown path (404).
 */
import { OperatorApi } from "@matchpoint/contracts/http/admin/OperatorApi"
import { FeedApi } from "@matchpoint/contracts/http/FeedApi"
import { MatchpointApi, StreamApi } from "@matchpoint/contracts/http/MatchpointApi"
import { WebhooksAliasApi } from "@matchpoint/contracts/http/webhooks/WebhooksApi"
import { HttpApi } from "effect/http-api"
import { isLiteral } from "./literalPaths.ts"

interface PathNode {
  readonly segments: ReadonlyArray<string>
  readonly method: string
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** The endpoints, grouped by their number of path segments, so that a path is compared with only a few endpoints. */
const places = new Map<number, Array<PathNode>>()

const note = ({ endpoint }: { readonly endpoint: { readonly path: string; readonly method: string } }): void => {
  const segments = segmentsOf(endpoint.path)
  const ofLength = places.get(segments.length) ?? []
  ofLength.push({ segments, method: endpoint.method })
  places.set(segments.length, ofLength)
}

/** Returns the paths that continue a path by one literal segment: `/scoreboard`, `/state` below that of a live match. */
export const pathsBelow = (path: string): ReadonlyArray<string> => {
  if (!isLiteral(path)) return []
  const asked = segmentsOf(path)
  const below = (places.get(asked.length + 1) ?? []).flatMap(({ method, segments }) => {
    const last = segments.at(-1) ?? ""
    const fits = asked.every((segment, at) => segments[at] === segment || segments[at]?.startsWith(":"))
    return method === "GET" && fits && !last.startsWith(":") ? [`/${last}`] : []
  })
  return [...new Set(below)].sort()
}

const noting = { onGroup: () => {}, onEndpoint: note }
HttpApi.reflect(MatchpointApi, noting)
HttpApi.reflect(WebhooksAliasApi, noting)
HttpApi.reflect(StreamApi, noting)
HttpApi.reflect(FeedApi, noting)
HttpApi.reflect(OperatorApi, noting)

/** Returns the `Allow` header for a path without its query, or undefined if no contract has the path. */
export const allowedAt = (path: string): string | undefined => {
  if (!isLiteral(path)) return undefined
  const asked = segmentsOf(path)
  const methods = new Set<string>()
  for (const { method, segments } of places.get(asked.length) ?? []) {
    if (segments.every((segment, at) => segment.startsWith(":") || segment === asked[at])) methods.add(method)
  }
  if (methods.size === 0) return undefined
  if (methods.has("GET")) methods.add("HEAD")
  return [...methods].join(", ")
}
