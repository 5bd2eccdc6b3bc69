/** Matches before the caller's history are rejected or left out. */
import { NotFound, ValidationError } from "@matchpoint/contracts/http/errors"
import { listHandler, one, reading } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect, Option } from "effect"
import { TennisMatchArchive } from "../../archive/matches/TennisMatchArchive.ts"
import { archiveLimits } from "../../contract/http/data/archiveFilters.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { currentPlayers } from "./currentPlayers.ts"
import { endWithinHistory, givenTour, matchFilterOf, sinceDay } from "./matchHistory.ts"

export const TennisMatchesHandlers = endpointGroup(
  TennisApi,
  "tennis-matches",
  Effect.fn(function* (handlers) {
    const matches = yield* TennisMatchArchive
    const forCurrent = yield* currentPlayers

    const known = Effect.fnUntraced(function* (matchId: string) {
      const match = yield* matches.find(matchId)
      if (Option.isNone(match)) return yield* noMatch(matchId)
      yield* endWithinHistory(match.value.date)
      return match.value
    })

    return handlers.handleAll({
      list: forCurrent(
        listHandler(
          { max: archiveLimits.matches },
          Effect.fnUntraced(function* ({ query }, window) {
            const { player_id: playerId, tour, ...filter } = query
            if (filter.opponent_id !== undefined && playerId === undefined) {
              return yield* ValidationError.because("opponent_id needs player_id", { parameter: "opponent_id" })
            }
            return yield* matches.list({ ...(yield* matchFilterOf(filter)), playerId, tour: givenTour(tour) }, window)
          }),
        ),
      ),
      recent: listHandler(
        { max: archiveLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          return yield* matches.recent(givenTour(query.tour), yield* sinceDay, window)
        }),
      ),
      completed: listHandler(
        { max: archiveLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          yield* endWithinHistory(query.date)
          return yield* matches.completed(query.date, window)
        }),
        { meta: ({ withoutDay }) => ({ matches_without_day: withoutDay }) },
      ),
      byId: reading(function* ({ params }) {
        return one(yield* known(params.matchId))
      }),
      stats: reading(function* ({ params }) {
        const { id, statistics, statistics_reason } = yield* known(params.matchId)
        return one({ match_id: id, statistics, statistics_reason })
      }),
    })
  }),
)

/** The archive has a live match under its own id, from a minute after its end. */
const noMatch = (matchId: string) =>
  Effect.fail(
    NotFound.of(
      /^tennis-match-\d+$/u.test(matchId)
        ? `${matchId} is not in the archive; GET /tennis/matches/live/${matchId} returns a live match, and the archive has it under this id a minute after its end if all of its players have an id`
        : `no match of the archive has the id ${matchId}; GET /tennis/matches lists all matches`,
    ),
  )
