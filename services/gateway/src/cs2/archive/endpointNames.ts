/**
 * Lists the names and paths of the endpoints in one section of the API, read from the contract. The overview endpoint
 * returns this list.
 */
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT, MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { HttpApi } from "effect/http-api"

/**
 * Maps endpoint names to paths, e.g. `matches.upcoming` -> `/cs2/matches/upcoming`. The names consist of the contract's
 * group and endpoint names. The paths are relative to the API root.
 */
export const endpointNames = (section: "cs2"): Readonly<Record<string, string>> => {
  // The endpoints `stream` and `ws` are added by hand because they do not return JSON. The contract describes the
  // messages of the stream elsewhere, and does not describe the WebSocket at all.
  const names: Record<string, string> = { stream: STREAM_PATH, ws: SOCKET_PATH }
  HttpApi.reflect(MatchpointApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const path = endpoint.path.slice(API_ROOT.length)
      if (path !== `/${section}` && !path.startsWith(`/${section}/`)) return
      const name = `${group.identifier.slice(section.length + 1)}.${endpoint.identifier}`
      names[name] = path.replaceAll(/:([A-Za-z0-9_]+)/g, "{$1}")
    },
  })
  return names
}
