/** The endpoints of matches, answered from the archive. */
import { dataLimits } from "@matchpoint/contracts/http/cs2/data/listing"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { MatchArchive } from "@matchpoint/store/cs2/MatchArchive"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, listPage, since, withoutStore } from "./archive.ts"

export const MatchesHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-matches",
  Effect.fn(function* (handlers) {
    const matches = yield* MatchArchive

    return handlers.handleAll({
      upcoming: Effect.fnUntraced(
        function* ({ query }) {
          const page = listPage(query, dataLimits.matches)
          const to = query.to === undefined ? undefined : new Date(query.to)
          const { rows, total } = yield* matches.upcoming({ ...page, from: yield* since(query.from), to })
          return listed(page, rows, total)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
    })
  }),
)
