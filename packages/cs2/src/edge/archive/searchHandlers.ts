/** The results omit data that is older than the caller's plan gives access to. */
import { reading, since } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { Search } from "../../archive/search/Search.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import { searchDefaults } from "../../contract/http/data/endpoints/SearchApi.ts"

interface SearchRequest {
  readonly query: { readonly q: string; readonly limit?: number | undefined }
}

export const SearchHandlers = endpointGroup(
  Cs2Api,
  "cs2-search",
  Effect.fn(function* (handlers) {
    const search = yield* Search

    const answer = (fallback: number) =>
      reading(function* ({ query }: SearchRequest) {
        const limit = Math.min(query.limit ?? fallback, dataLimits.search)
        const data = yield* search.find({ text: query.q, limit, since: yield* since() })
        const count = data.teams.length + data.players.length + data.events.length + data.matches.length
        return { success: true as const, data, meta: { count, limit, query: query.q } }
      })

    return handlers.handleAll({ search: answer(searchDefaults.search), autocomplete: answer(searchDefaults.autocomplete) })
  }),
)
