/** Which methods the contracts have at a path, so that a wrong method is told apart from a wrong path. Follows the contracts by itself. */
import { OperatorApi } from "@matchpoint/contracts/http/admin/OperatorApi"
import { FeedApi } from "@matchpoint/contracts/http/FeedApi"
import { MatchpointApi, StreamApi } from "@matchpoint/contracts/http/MatchpointApi"
import { HttpApi } from "effect/http-api"
import { isLiteral } from "./literalPaths.ts"

interface Place {
  readonly segments: ReadonlyArray<string>
  readonly method: string
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** By the number of their segments: an unknown path is compared with few. */
const places = new Map<number, Array<Place>>()

const note = ({ endpoint }: { readonly endpoint: { readonly path: string; readonly method: string } }): void => {
  const segments = segmentsOf(endpoint.path)
  const ofLength = places.get(segments.length) ?? []
  ofLength.push({ segments, method: endpoint.method })
  places.set(segments.length, ofLength)
}

const noting = { onGroup: () => {}, onEndpoint: note }
HttpApi.reflect(MatchpointApi, noting)
HttpApi.reflect(StreamApi, noting)
HttpApi.reflect(FeedApi, noting)
HttpApi.reflect(OperatorApi, noting)

/** Of the methods of a path, without its query, the value of `Allow`. Undefined: no contract has the path. */
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
