/** Names and paths of the endpoints in one section of the API, for the response of the overview endpoint. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { HttpApi } from "effect/http-api"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { SOCKET_PATH, STREAM_PATH } from "../../contract/http/streamPaths.ts"

/**
 * Paths by name, e.g. `matches.upcoming` -> `/cs2/matches/upcoming`. A name consists of the contract's group and
 * endpoint names. The paths are relative to the API root.
 */
export const endpointNames = (section: "cs2"): Readonly<Record<string, string>> => {
  // Added by hand, because they return no JSON: the contract describes the stream elsewhere, the WebSocket not at all.
  const names: Record<string, string> = { stream: STREAM_PATH, ws: SOCKET_PATH }
  HttpApi.reflect(Cs2Api, {
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
