/** Series and games of the archive, and those of live lobbies. */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { dateAt, listHandler, one, reading, withinHistory } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { roomsWith } from "@matchpoint/game/edge/live/roomsWith"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { ApexSeriesArchive, type FoundScores } from "../../archive/read/ApexSeriesArchive.ts"
import { scoresOf } from "../../archive/series/scoresJson.ts"
import { bansOf, listingOf, matchesOf } from "../../archive/series/seriesJson.ts"
import { ApexApi } from "../../contract/http/ApexApi.ts"
import { apexLimits } from "../../contract/http/data/references.ts"
import type { ScoreException } from "../../contract/http/data/seriesModels.ts"
import { apexRooms } from "../live/apexRooms.ts"
import { liveList, seriesOfLive } from "../live/liveSeries.ts"
import { seriesFilterOf } from "./parameters.ts"

export const ApexSeriesHandlers = endpointGroup(
  ApexApi,
  "apex-series",
  Effect.fn(function* (handlers) {
    const archive = yield* ApexSeriesArchive
    const hub = yield* LiveHub

    /** Rooms of the tier that the caller's plan may see. */
    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    /** Series of a lobby that the archive does not have yet. */
    const liveSeries = Effect.fnUntraced(function* (seriesId: string) {
      const lobby = apexRooms.find(yield* roomsWith(hub, seriesId), seriesId)
      return lobby === undefined ? yield* noSeries(seriesId) : seriesOfLive(lobby)
    })

    return handlers.handleAll({
      events: listHandler(
        { max: apexLimits.events },
        Effect.fnUntraced(function* ({ query }, window) {
          const filter = yield* seriesFilterOf(query)
          if (filter.status !== "live") return yield* archive.list(filter, window)
          return yield* liveList(apexRooms.all(yield* rooms), filter, window, (series) => [listingOf(series)])
        }),
      ),
      matches: listHandler(
        { max: apexLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          const filter = { ...(yield* seriesFilterOf(query)), map: query.map }
          if (filter.status !== "live") return yield* archive.matches(filter, window)
          const onMap = (map: string | null) => filter.map === undefined || map?.toLowerCase() === filter.map.toLowerCase()
          return yield* liveList(apexRooms.all(yield* rooms), filter, window, (series) =>
            matchesOf(series).filter(({ map, status }) => status === "live" && onMap(map)),
          )
        }),
      ),
      scores: reading(function* ({ params: { seriesId } }) {
        const found = yield* archive.scores(seriesId)
        if (found === undefined) return one(scoresOf(yield* liveSeries(seriesId)))
        yield* withinHistory(dateAt(found.sortAt))
        return one(withCopy(found))
      }),
      bans: reading(function* ({ params: { seriesId } }) {
        const found = yield* archive.bans(seriesId)
        if (found === undefined) return one(bansOf(yield* liveSeries(seriesId)))
        yield* withinHistory(dateAt(found.sortAt))
        return one(found.bans)
      }),
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
