/** Paths and methods of HTTP APIs, to distinguish a wrong method (405) from an unknown path (404). */
import { Context } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { isLiteral } from "./literalPaths.ts"

interface PathNode {
  readonly segments: ReadonlyArray<string>
  readonly method: string
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

export class PathsOfApis {
  /** Endpoints by number of path segments, so that a path is compared with few of them. */
  readonly #places = new Map<number, Array<PathNode>>()

  with<Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>): this {
    HttpApi.reflect(api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        const segments = segmentsOf(path)
        const ofLength = this.#places.get(segments.length) ?? []
        ofLength.push({ segments, method })
        this.#places.set(segments.length, ofLength)
      },
    })
    return this
  }

  /** Paths that continue the path by one literal segment: `/scoreboard`, `/state` below that of a live match. */
  below(path: string): ReadonlyArray<string> {
    if (!isLiteral(path)) return []
    const asked = segmentsOf(path)
    const below = (this.#places.get(asked.length + 1) ?? []).flatMap(({ method, segments }) => {
      const last = segments.at(-1) ?? ""
      const fits = asked.every((segment, at) => segments[at] === segment || segments[at]?.startsWith(":"))
      return method === "GET" && fits && !last.startsWith(":") ? [`/${last}`] : []
    })
    return [...new Set(below)].sort()
  }

  /** `Allow` for a path without its query. Undefined if no API has the path. */
  allowedAt(path: string): string | undefined {
    if (!isLiteral(path)) return undefined
    const asked = segmentsOf(path)
    const methods = new Set<string>()
    for (const { method, segments } of this.#places.get(asked.length) ?? []) {
      if (segments.every((segment, at) => segment.startsWith(":") || segment === asked[at])) methods.add(method)
    }
    if (methods.size === 0) return undefined
    if (methods.has("GET")) methods.add("HEAD")
    return [...methods].join(", ")
  }
}

/** Paths of all APIs, also of those that this process does not serve. By default none. */
export class KnownPaths extends Context.Reference<PathsOfApis>("@matchpoint/process/http/KnownPaths", {
  defaultValue: () => new PathsOfApis(),
}) {}
