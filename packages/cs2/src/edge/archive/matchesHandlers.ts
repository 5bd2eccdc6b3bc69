/** Each handler rejects matches that are older than the caller's plan gives access to. */
import { NotFound, ValidationError } from "@matchpoint/contracts/http/errors"
import { readInstant } from "@matchpoint/contracts/http/instants"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { available, listed, listHandler, one, reading, since, wholePage, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Clock, Effect, Option } from "effect"
import { GameArchive } from "../../archive/matches/GameArchive.ts"
import { MatchArchive, type MatchFilter } from "../../archive/matches/MatchArchive.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"

/** By default, `upcoming` omits announced matches that are later than this, in ms: they probably never took place. */
const LATE_MS = 12 * 3_600_000

/** Larger than the number of player rows of any match, so that all fit on one page. */
const MOST_LINES = 200

export const MatchesHandlers = endpointGroup(
  Cs2Api,
  "cs2-matches",
  Effect.fn(function* (handlers) {
    const matches = yield* MatchArchive
    const games = yield* GameArchive

    /** Fails if the match does not exist or is older than the caller's plan gives access to. */
    const known = Effect.fnUntraced(function* (matchId: MatchId) {
      const start = yield* matches.startOf(matchNumber(matchId))
      if (Option.isNone(start)) return yield* noMatch(matchId)
      yield* withinHistory(start.value)
      return matchNumber(matchId)
    })

    return handlers.handleAll({
      list: listHandler(
        { max: dataLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          const status = query.status === "scheduled" ? "upcoming" : query.status
          return yield* matches.list({ ...window, ...filterOf(query), from: yield* since(query.from, query.to), status })
        }),
      ),
      upcoming: listHandler(
        { max: dataLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          // biome-ignore lint/plugin: compared with times in the archive
          const from = query.from === undefined ? dateOf((yield* Clock.currentTimeMillis) - LATE_MS) : yield* since(query.from, query.to)
          return yield* matches.upcoming({ ...window, ...filterOf(query), from })
        }),
      ),
      recent: listHandler(
        { max: dataLimits.matches },
        Effect.fnUntraced(function* ({ query }, window) {
          return yield* matches.list({ ...window, ...filterOf(query), from: yield* since(query.from, query.to), status: "completed" })
        }),
      ),
      byId: reading(function* ({ params }) {
        const found = yield* matches.find(matchNumber(params.matchId), yield* since())
        if (Option.isNone(found)) return yield* noMatch(params.matchId)
        yield* withinHistory(dateOf(readInstant(found.value.startsAt)))
        return one(found.value)
      }),
      playerStats: listHandler(
        { max: MOST_LINES, usual: MOST_LINES, isShort: true },
        Effect.fnUntraced(function* ({ params }, window) {
          return yield* games.playerStats({ matchNumber: yield* known(params.matchId) }, window)
        }),
        { meta: ({ total }) => available(total > 0) },
      ),
      games: reading(function* ({ params }) {
        return whole(yield* games.gamesOf(yield* known(params.matchId)))
      }),
      maps: reading(function* ({ params }) {
        return whole(yield* games.mapsOf(yield* known(params.matchId)))
      }),
      demos: reading(function* ({ params }) {
        return whole(yield* matches.demosOf(yield* known(params.matchId)))
      }),
      headToHead: reading(function* ({ query }) {
        const found = yield* matches.headToHead({ ...query, from: yield* since(query.from, query.to), to: instantOf(query.to) })
        if (Option.isNone(found)) return yield* NotFound.of("one of the teams is unknown; GET /cs2/teams lists all teams")
        if (found.value.team1.id === found.value.team2.id) {
          return yield* ValidationError.because("team2 must be a different team from team1", { parameter: "team2" })
        }
        return one(found.value)
      }),
    })
  }),
)

const noMatch = (matchId: MatchId) => NotFound.of(`no match in the archive has the id ${matchId}; GET /cs2/matches lists all matches`)

const whole = <A>(rows: ReadonlyArray<A>) => listed(wholePage(rows.length), rows, rows.length, available(rows.length > 0))

const dateOf = (at: number): Date => new Date(at)

const instantOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : dateOf(readInstant(text)))

const filterOf = (query: {
  readonly to?: string | undefined
  readonly team?: string | undefined
  readonly event?: string | undefined
  readonly tier?: MatchFilter["tier"]
  readonly best_of?: number | undefined
}) => ({ to: instantOf(query.to), team: query.team, event: query.event, tier: query.tier, bestOf: query.best_of })
