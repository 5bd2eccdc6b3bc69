/** Handlers of the endpoints for series and games of the Apex archive. */
import { apexLimits } from "@matchpoint/contracts/http/apex/data/references"
import type { ScoreException } from "@matchpoint/contracts/http/apex/data/seriesModels"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { ApexSeriesArchive, type FoundScores } from "@matchpoint/store/apex/read/ApexSeriesArchive"
import { Effect } from "effect"
import { dateAt, listHandler, one, storeUnavailable, withinHistory } from "../../archive/archive.ts"
import { endpointGroup } from "../../http/slimContext.ts"
import { seriesFilterOf } from "./parameters.ts"

export const ApexSeriesHandlers = endpointGroup(
  MatchpointApi,
  "apex-series",
  Effect.fn(function* (handlers) {
    const archive = yield* ApexSeriesArchive

    return handlers.handleAll({
      events: listHandler(
        { max: apexLimits.events },
        Effect.fnUntraced(function* ({ query }, window) {
          return yield* archive.list(yield* seriesFilterOf(query), window)
        }),
      ),
      matches: listHandler(
        { max: apexLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          return yield* archive.matches({ ...(yield* seriesFilterOf(query)), map: query.map }, window)
        }),
      ),
      scores: Effect.fnUntraced(
        function* ({ params: { seriesId } }) {
          const found = yield* archive.scores(seriesId)
          if (found === undefined) return yield* noSeries(seriesId)
          yield* withinHistory(dateAt(found.sortAt))
          return one(withCopy(found))
        },
        Effect.catchTag("StoreError", storeUnavailable),
      ),
      bans: Effect.fnUntraced(
        function* ({ params: { seriesId } }) {
          const found = yield* archive.bans(seriesId)
          if (found === undefined) return yield* noSeries(seriesId)
          yield* withinHistory(dateAt(found.sortAt))
          return one(found.bans)
        },
        Effect.catchTag("StoreError", storeUnavailable),
      ),
    })
  }),
)

const noSeries = (seriesId: string) => Effect.fail(NotFound.of(`no series has the id ${seriesId}; GET /apex/algs/events lists all series`))

/** States that the series repeats part of another one, which is why lists do not have it. */
const withCopy = ({ copyOf, scores }: FoundScores) => {
  if (copyOf === null) return scores
  const copy: ScoreException = { code: "copy_of", teamName: null, gameNumber: null, stated: copyOf, computed: null }
  return { ...scores, exceptions: [copy, ...scores.exceptions] }
}
