/** Matches before the caller's history are rejected or left out. */
import { NotFound, ValidationError } from "@matchpoint/contracts/http/errors"
import { isOn } from "@matchpoint/contracts/http/listing"
import { gameOfMatch, MatchId } from "@matchpoint/domain/ids"
import { dateAt, reading, since, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Clock, Effect, Option, Schema } from "effect"
import { CodMatchArchive } from "../../archive/matches/CodMatchArchive.ts"
import { codLive } from "../../contract/codLive.ts"
import { CodApi } from "../../contract/http/CodApi.ts"
import { archiveIdOf } from "../../rules/archive/matchIds.ts"
import { detailAnswer, mapPlayersAnswer, mapsAnswer, playersAnswer } from "./matchAnswers.ts"
import { matchList, matchPage } from "./pages.ts"

const DAY_MS = 86_400_000

interface MatchesRequest {
  readonly query: {
    readonly team?: string
    readonly tournamentId?: string
    readonly season?: number
    readonly startDate?: string
    readonly endDate?: string
    readonly days?: number
    readonly limit?: number
    readonly page?: number
    readonly offset?: number
  }
}

export const CodMatchesHandlers = endpointGroup(
  CodApi,
  "cod-matches",
  Effect.fn(function* (handlers) {
    const archive = yield* CodMatchArchive

    const completed = reading(function* ({ query }: MatchesRequest) {
      const { days, endDate, season, startDate, team, tournamentId } = query
      if (days !== undefined && startDate !== undefined) {
        return yield* ValidationError.because("send either days or startDate", { parameter: "days" })
      }
      const start = yield* since(startDate, endDate)
      // biome-ignore lint/plugin: compared with times in the archive
      const oldest = days === undefined ? undefined : (yield* Clock.currentTimeMillis) - days * DAY_MS
      const from = oldest === undefined || (start !== undefined && start.getTime() > oldest) ? start : dateAt(oldest)
      const before = endDate === undefined ? undefined : dateAt(Date.parse(endDate) + DAY_MS)
      if (before !== undefined) yield* withinHistory(dateAt(before.getTime() - 1))
      const page = matchPage(query)
      return matchList(page, yield* archive.completed({ team, tournamentId, season, from, before }, page), {})
    })

    /** Archive id of a match for the id that it had while it was live. */
    const archivedAs = Effect.fnUntraced(function* (matchId: string) {
      if (!isLiveId(matchId)) return undefined
      const archiveId = archiveIdOf(matchId)
      return Option.isSome(yield* archive.find(archiveId)) ? archiveId : undefined
    })

    const known = Effect.fnUntraced(function* (matchId: string) {
      const match = yield* archive.find(matchId)
      if (Option.isNone(match)) return yield* noMatch(matchId, yield* archivedAs(matchId))
      yield* withinHistory(dateAt(Date.parse(match.value.startsAt)))
      return match.value
    })

    return handlers.handleAll({
      list: completed,
      recent: completed,
      upcoming: reading(function* ({ query }) {
        const { season, team, tournamentId } = query
        const page = matchPage(query)
        return matchList(page, yield* archive.upcoming({ team, tournamentId, season }, page), {})
      }),
      byId: reading(function* ({ params }) {
        return { success: true as const, data: detailAnswer(yield* known(params.matchId)) }
      }),
      maps: reading(function* ({ params }) {
        return mapsAnswer(yield* known(params.matchId))
      }),
      mapPlayers: reading(function* ({ params: { mapNumber, matchId } }) {
        const match = yield* known(matchId)
        const data = mapPlayersAnswer(match, mapNumber)
        if (data !== undefined) return { success: true as const, data }
        const numbers = match.maps.map((map) => map.mapNumber)
        return yield* NotFound.of(`match ${matchId} has no map ${mapNumber}; its maps are ${numbers.join(", ") || "unknown"}`)
      }),
      players: reading(function* ({ params, query: { includeMaps } }) {
        const match = yield* known(params.matchId)
        return { success: true as const, data: playersAnswer(match, includeMaps === undefined || isOn(includeMaps)) }
      }),
    })
  }),
)

/** Live matches have ids of another form: `cod-match-1001`. */
const isMatchId = Schema.is(MatchId)
const isLiveId = (matchId: string): matchId is MatchId => isMatchId(matchId) && gameOfMatch(matchId) === codLive.game

const noMatch = (matchId: string, archiveId: string | undefined) =>
  Effect.fail(
    NotFound.of(
      archiveId !== undefined
        ? `${matchId} was live and is in the archive as ${archiveId}; GET /cod/matches/${archiveId} returns it`
        : isLiveId(matchId)
          ? `${matchId} is not in the archive; GET /cod/cdl/live/${matchId} returns a live match, and a minute after its end the archive has it as ${archiveIdOf(matchId)}`
          : `no match of the archive has the id ${matchId}; GET /cod/matches lists all finished matches`,
    ),
  )
