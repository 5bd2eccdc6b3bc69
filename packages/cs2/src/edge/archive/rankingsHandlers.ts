import { listHandler, until, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { PageWindow } from "@matchpoint/store/paging/listReader"
import { Effect } from "effect"
import { type Ranking, Rankings } from "../../archive/rankings/Rankings.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import type { RankingRegion, RankingSource } from "../../contract/http/data/rankingModels.ts"

interface RankingQuery {
  readonly source?: RankingSource | undefined
  readonly region?: RankingRegion | undefined
  readonly date?: string | undefined
  readonly team?: string | undefined
}

export const RankingsHandlers = endpointGroup(
  Cs2Api,
  "cs2-rankings",
  Effect.fn(function* (handlers) {
    const rankings = yield* Rankings

    const ranking = Effect.fnUntraced(function* (query: RankingQuery, window: PageWindow, source: RankingSource) {
      const region = query.region ?? "global"
      const at = until(query.date)
      if (at !== undefined) yield* withinHistory(at)
      return { ...(yield* rankings.ranking({ ...window, source, region, at, team: query.team })), source, region }
    })

    return handlers.handleAll({
      // Defaults of the API specification: regional standings if a region is requested, else the world ranking.
      rankings: listHandler(
        { max: dataLimits.rankings, isShort: true },
        ({ query }, window) => ranking(query, window, query.source ?? (query.region === undefined ? "world" : "vrs")),
        { meta: ofRanking },
      ),
      teams: listHandler(
        { max: dataLimits.rankings, isShort: true },
        ({ query }, window) => ranking(query, window, query.source ?? "vrs"),
        {
          meta: ofRanking,
        },
      ),
    })
  }),
)

const ofRanking = ({
  date,
  previousDate,
  region,
  source,
}: Ranking & { readonly source: RankingSource; readonly region: RankingRegion }) => ({
  source,
  region,
  date,
  previousDate,
  dataAvailable: date !== null,
})
