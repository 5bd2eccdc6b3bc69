/** The endpoints of rankings, answered from the archive. */

import { dataLimits } from "@matchpoint/contracts/http/cs2/data/listing"
import type { RankingRegion, RankingSource } from "@matchpoint/contracts/http/cs2/data/rankingModels"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { Rankings } from "@matchpoint/store/cs2/Rankings"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, listPage, until, withinHistory, withoutStore } from "./archive.ts"

interface Asked {
  readonly limit?: number | undefined
  readonly page?: number | undefined
  readonly source?: RankingSource | undefined
  readonly region?: RankingRegion | undefined
  readonly date?: string | undefined
  readonly team?: string | undefined
}

export const RankingsHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-rankings",
  Effect.fn(function* (handlers) {
    const rankings = yield* Rankings

    const ranking = Effect.fnUntraced(
      function* (query: Asked, source: RankingSource) {
        const page = listPage(query, dataLimits.rankings)
        const region = query.region ?? "global"
        const at = until(query.date)
        if (at !== undefined) yield* withinHistory(at)
        const { date, previousDate, rows, total } = yield* rankings.ranking({ ...page, source, region, at, team: query.team })
        return listed(page, rows, total, { source, region, date, previousDate, dataAvailable: date !== null })
      },
      Effect.catchTag("StoreError", withoutStore),
    )

    return handlers.handleAll({
      // The specification: without a source it is the world ranking here, but regional standings wherever a region is asked for.
      rankings: ({ query }) => ranking(query, query.source ?? (query.region === undefined ? "world" : "vrs")),
      teams: ({ query }) => ranking(query, query.source ?? "vrs"),
    })
  }),
)
