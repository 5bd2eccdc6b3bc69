import { Caller } from "@matchpoint/contracts/http/Authentication"
import { paginate } from "@matchpoint/contracts/http/envelope"
import { body, MatchNotFound, NotFound } from "@matchpoint/contracts/http/errors"
import { dateAt, one, reading, storeUnavailable, withinHistory } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { liveListOf } from "@matchpoint/game/edge/live/liveList"
import { roomsWith } from "@matchpoint/game/edge/live/roomsWith"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect, Option } from "effect"
import { type MatchRecord, TennisMatchRecords } from "../../archive/live/TennisMatchRecords.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { TENNIS_LIVE_LIMIT } from "../../contract/http/TennisLiveApi.ts"
import type { LiveTennisMatch } from "../../contract/LiveTennisMatch.ts"
import { liveRowOf, tennisLive } from "../../contract/tennisLive.ts"
import {
  linkOf,
  statusOfLive,
  statusOfRecord,
  timelineOfLive,
  timelineOfRecord,
  tournamentOfLive,
  tournamentOfRecord,
} from "./matchAnswers.ts"
import { tennisRooms } from "./tennisRooms.ts"

export const TennisLiveHandlers = endpointGroup(
  TennisApi,
  "tennis-live",
  Effect.fn(function* (handlers) {
    const hub = yield* LiveHub
    const records = yield* TennisMatchRecords

    /** Rooms of the tier that the caller's plan may see. */
    const rooms = Effect.map(Caller, ({ plan }) => hub.edgeFor(plan).rooms)

    /** Handler that answers about a live match if there is one, and about the archived match otherwise. */
    const ofMatch = <A>(ofLive: (match: LiveTennisMatch) => A, ofRecord: (match: MatchRecord) => A) =>
      reading(function* ({ params }: { readonly params: { readonly matchId: string } }) {
        const live = tennisRooms.find(yield* roomsWith(hub, params.matchId), params.matchId)
        if (live !== undefined) return one(ofLive(live))
        const record = yield* records.find(params.matchId)
        if (Option.isNone(record)) return yield* NotFound.of(`no tennis match has the id ${params.matchId}`)
        yield* withinHistory(dateAt(Date.parse(record.value.date)))
        return one(ofRecord(record.value))
      })

    const tournamentOf = ofMatch(tournamentOfLive, tournamentOfRecord)

    return handlers.handleAll({
      liveList: liveListOf(hub, tennisLive.game),
      list: Effect.fnUntraced(function* ({ query }) {
        const matches = tennisRooms.all(yield* rooms)
        const ofTour = query.tour === undefined ? matches : matches.filter(({ tour }) => tour === query.tour)
        const { items, meta } = paginate(ofTour, query, { max: TENNIS_LIVE_LIMIT, fallback: TENNIS_LIVE_LIMIT })
        return { success: true as const, data: items.map(liveRowOf), meta }
      }),
      one: Effect.fnUntraced(function* ({ params: { matchId } }) {
        const match = tennisRooms.find(yield* roomsWith(hub, matchId), matchId)
        if (match !== undefined) return one(match)
        const message = `no live match has the id ${matchId}; GET /tennis/matches/live lists the live matches`
        return yield* new MatchNotFound(body("MATCH_NOT_FOUND", message, { matchId }))
      }),
      status: ofMatch(statusOfLive, statusOfRecord),
      timeline: ofMatch(timelineOfLive, timelineOfRecord),
      tournamentLink: (request) =>
        Effect.gen(function* () {
          const { data } = yield* tournamentOf(request)
          const competitionId = data.tournament === null ? null : Option.getOrNull(yield* records.competitionIdOf(data.tournament))
          return one(linkOf(data, competitionId))
        }).pipe(Effect.catchTag("StoreError", storeUnavailable)),
    })
  }),
)
