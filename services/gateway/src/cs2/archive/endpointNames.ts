/** The endpoints of a section by name, read from the contract: what the overview lists. */
import { API_ROOT, MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { HttpApi } from "effect/http-api"

/** `matches.upcoming` -> `/cs2/matches/upcoming`: names as the contract's groups and endpoints have them, paths below the API's root. */
export const endpointNames = (section: "cs2"): Readonly<Record<string, string>> => {
  const names: Record<string, string> = {}
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
