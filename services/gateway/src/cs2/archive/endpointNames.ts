/** Names and paths of a section's endpoints, read from the contract. The overview endpoint lists them. */
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT, MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { HttpApi } from "effect/http-api"

/**
 * Returns an entry such as `matches.upcoming` -> `/cs2/matches/upcoming` per endpoint. Names come from the contract's
 * groups and endpoints. Paths are relative to the API root.
 */
export const endpointNames = (section: "cs2"): Readonly<Record<string, string>> => {
  // These two are added by hand because they do not return JSON. The contract describes the stream's messages
  // elsewhere, and sockets not at all.
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
