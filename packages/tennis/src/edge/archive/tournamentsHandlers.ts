import { Caller } from "@matchpoint/contracts/http/Authentication"
import { NotCovered, NotFound } from "@matchpoint/contracts/http/errors"
import type { cursorQuery } from "@matchpoint/contracts/http/listing"
import { dateAt, listHandler, one, reading, since, withinHistory } from "@matchpoint/game/edge/archive"
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Clock, Effect, type Schema } from "effect"
import { type FoundTournament, TournamentArchive } from "../../archive/tournaments/TournamentArchive.ts"
import { TournamentMatches } from "../../archive/tournaments/TournamentMatches.ts"
import type { calendarQuery, competitionListQuery, scheduleQuery, tournamentListQuery } from "../../contract/http/data/tournamentModels.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { TENNIS_LIVE_LIMIT } from "../../contract/http/TennisLiveApi.ts"
import type { LiveTennisMatch } from "../../contract/LiveTennisMatch.ts"
import { liveRowOf } from "../../contract/tennisLive.ts"
import { tennisRooms } from "../live/tennisRooms.ts"
import { periodsOf } from "./calendar.ts"
import { drawAnswer } from "./drawAnswer.ts"
import { dayOf, endOf, readSurface } from "./parameters.ts"

type QueryOf<Fields extends Schema.Struct.Fields> = Schema.Schema.Type<Schema.Struct<Fields>>
interface Named {
  readonly params: { readonly tournamentId: string }
}

const MAX = 100

const answers = Effect.gen(function* () {
  const archive = yield* TournamentArchive
  const matches = yield* TournamentMatches
  const hub = yield* LiveHub

  /** Undefined if the plan's history has no limit. */
  const firstDay = Effect.map(since(), (at) => (at === undefined ? undefined : dayOf(at)))

  /** Fails if the tournament does not exist or started before the history of the caller's plan. */
  const found = Effect.fnUntraced(function* (reference: string) {
    const tournament = yield* archive.find(reference)
    if (tournament === undefined) return yield* nothing
    yield* withinHistory(endOf(tournament.startsOn))
    return tournament
  })

  const drawOf = Effect.fnUntraced(function* (tournament: FoundTournament, others: ReadonlyArray<FoundTournament>) {
    const data = drawAnswer(tournament.details, yield* matches.all(tournament))
    return { success: true as const, data, meta: { other_tournaments: others.map(({ id }) => id) } }
  })

  const draw = reading(function* ({ params }: Named) {
    return yield* drawOf(yield* found(params.tournamentId), [])
  })

  /** Live matches of a day that are not archived yet, if the caller's plan may see them. */
  const liveOn = Effect.fnUntraced(function* (day: string, tour: "ATP" | "WTA" | undefined) {
    const { plan } = yield* Caller
    const isToday = day === dayOf(dateAt(yield* Clock.currentTimeMillis))
    const found = tennisRooms
      .all(hub.edgeFor(plan).rooms)
      .filter((match) => (tour === undefined || match.tour === tour) && isOfDay(match, day, isToday))
      .slice(0, TENNIS_LIVE_LIMIT)
    const archived = found.length === 0 ? new Set<string>() : yield* matches.archived(found.map(({ id }) => id))
    return found.filter(({ id }) => !archived.has(id)).map(liveRowOf)
  })

  return {
    list: listHandler(
      { max: MAX },
      Effect.fnUntraced(function* ({ query }: { readonly query: QueryOf<typeof tournamentListQuery> }, window) {
        return yield* archive.list({
          ...window,
          ...tableFilter(query),
          surface: yield* readSurface(query.surface),
          country: query.country?.toUpperCase(),
          year: query.year,
          text: query.q,
          from: yield* firstDay,
          order: "newest",
        })
      }),
    ),
    calendar: listHandler(
      { max: MAX },
      Effect.fnUntraced(function* ({ query }: { readonly query: QueryOf<typeof calendarQuery> }, window) {
        const year = query.year ?? dateAt(yield* Clock.currentTimeMillis).getUTCFullYear()
        yield* withinHistory(endOf(year))
        const surface = yield* readSurface(query.surface)
        const filter = { ...window, ...tableFilter(query), surface, year, from: yield* firstDay, order: "earliest" } as const
        return { ...(yield* archive.list(filter)), year }
      }),
      { data: ({ rows, year }, { query: { by = "month" } }) => ({ year, by, periods: periodsOf(rows, by) }) },
    ),
    one: reading(function* ({ params }: Named) {
      const tournament = yield* found(params.tournamentId)
      const profile = yield* archive.profile(tournament, yield* firstDay)
      return profile === undefined ? yield* nothing : one(profile)
    }),
    draw,
    bracket: draw,
    editionDraw: reading(function* ({ params: { tournamentId, year } }: { readonly params: Named["params"] & { readonly year: number } }) {
      const tournament = yield* archive.find(tournamentId)
      if (tournament === undefined) return yield* nothing
      yield* withinHistory(endOf(year))
      const [latest, ...others] = yield* archive.inYear(tournament.competitionId, year)
      if (latest === undefined) {
        const years = yield* archive.years(tournament.competitionId, yield* firstDay)
        return yield* NotCovered.of("year", String(year), years.map(String))
      }
      yield* withinHistory(endOf(latest.startsOn))
      return yield* drawOf(latest, others)
    }),
    tournamentSchedule: listHandler(
      { max: MAX },
      Effect.fnUntraced(function* ({ params }: Named & { readonly query: QueryOf<typeof cursorQuery> }, window) {
        return yield* matches.schedule(yield* found(params.tournamentId), window)
      }),
    ),
    competitions: listHandler(
      { max: MAX },
      Effect.fnUntraced(function* ({ query }: { readonly query: QueryOf<typeof competitionListQuery> }, window) {
        return yield* archive.competitions({ ...window, ...tableFilter(query), text: query.q, from: yield* firstDay })
      }),
    ),
    schedule: listHandler(
      { max: MAX },
      Effect.fnUntraced(function* ({ query }: { readonly query: QueryOf<typeof scheduleQuery> }, window) {
        const date = query.date ?? dayOf(dateAt(yield* Clock.currentTimeMillis))
        yield* withinHistory(endOf(date))
        const { tour } = tableFilter(query)
        const tournaments = yield* archive.startingOn(date, tour)
        return { ...(yield* matches.ofDay({ ...window, day: date, tour })), date, tournaments, live: yield* liveOn(date, query.tour) }
      }),
      { data: ({ date, live, rows, tournaments }) => ({ date, tournaments, matches: rows, live }) },
    ),
  }
})

const isOfDay = ({ started_at, status }: LiveTennisMatch, day: string, isToday: boolean): boolean =>
  started_at?.slice(0, 10) === day ? status !== "cancelled" : isToday && (status === "live" || status === "upcoming")

interface SharedQuery {
  readonly tour?: "ATP" | "WTA"
  readonly level?: string
  readonly tier?: QueryOf<typeof tournamentListQuery>["tier"]
}

const tableFilter = ({ level, tier, tour }: SharedQuery) => ({
  tour: tour === undefined ? undefined : tour === "WTA" ? ("wta" as const) : ("atp" as const),
  level: level?.toUpperCase(),
  tier,
})

const nothing = Effect.fail(NotFound.of("no tournament or competition has this id; GET /tennis/tournaments lists all tournaments"))

export const TournamentsHandlers = endpointGroup(
  TennisApi,
  "tennis-tournaments",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* answers)
  }),
)
