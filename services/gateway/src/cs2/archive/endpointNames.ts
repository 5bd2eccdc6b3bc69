/** The endpoints of a section by name, read from the contract: what the overview lists. */
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT, MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { HttpApi } from "effect/http-api"

/** `matches.upcoming` -> `/cs2/matches/upcoming`: names as the contract's groups and endpoints have them, paths below the API's root. */
export const endpointNames = (section: "cs2"): Readonly<Record<string, string>> => {
  // Both answer no JSON: the contract describes the stream's messages apart, and sockets not at all.
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
