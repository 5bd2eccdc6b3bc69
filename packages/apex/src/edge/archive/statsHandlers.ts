import { NotFound } from "@matchpoint/contracts/http/errors"
import { dateAt, listHandler, one, reading, since, storeUnavailable, until, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Duration, Effect, Exit, type Schema } from "effect"
import { ApexCoverageReader } from "../../archive/read/ApexCoverageReader.ts"
import { ApexPeople } from "../../archive/read/ApexPeople.ts"
import { ApexStatistics } from "../../archive/read/ApexStatistics.ts"
import { ApexApi } from "../../contract/http/ApexApi.ts"
import type { playersQuery } from "../../contract/http/data/endpoints/StatsApi.ts"
import { USUAL_EVENTS, USUAL_HITS } from "../../contract/http/data/endpoints/StatsApi.ts"
import { apexLimits } from "../../contract/http/data/references.ts"
import { readRegion, readTransactionType } from "./parameters.ts"

/** The coverage changes with imports and with finished lobbies. */
const COVERAGE_KEPT_FOR = "1 minute"

type PlayersQuery = Schema.Schema.Type<Schema.Struct<typeof playersQuery>>

export const ApexStatsHandlers = endpointGroup(
  ApexApi,
  "apex-stats",
  Effect.fn(function* (handlers) {
    const statistics = yield* ApexStatistics
    const people = yield* ApexPeople
    const { coverage } = yield* ApexCoverageReader
    const keptCoverage = yield* Effect.cachedWithTTL(coverage, (exit) => (Exit.isSuccess(exit) ? COVERAGE_KEPT_FOR : Duration.zero))

    /** Fails if the tournament does not exist or ended before the history of the caller's plan. */
    const found = Effect.fnUntraced(function* (eventId: string) {
      const event = yield* statistics.find(eventId)
      if (event === undefined) return yield* noEvent(eventId)
      yield* withinHistory(dateAt(event.sortAt))
      return event
    })

    /** Handler of a list of the players of a tournament. `idOf` reads the tournament's id from the path. */
    const playersOf = <Params, More extends object>(
      idOf: (params: Params) => string,
      more: (event: { readonly computedAt: number | null }) => More,
    ) =>
      listHandler(
        { max: apexLimits.players },
        Effect.fnUntraced(function* ({ params, query }: { readonly params: Params; readonly query: PlayersQuery }, window) {
          const event = yield* found(idOf(params))
          const page = yield* statistics.players(event.eventId, { sort: query.sort ?? "kills", team: query.team }, window)
          const isEmpty = page.total === 0 && query.team === undefined
          return { ...page, event, unavailableReason: isEmpty ? ("not_recorded" as const) : null }
        }),
        { meta: ({ event, unavailableReason }) => ({ eventId: event.eventId, unavailableReason, ...more(event) }) },
      )

    return handlers.handleAll({
      coverage: () => Effect.map(keptCoverage, one).pipe(Effect.catchTag("StoreError", storeUnavailable)),
      globalStats: listHandler(
        { max: apexLimits.stats, usual: USUAL_EVENTS },
        Effect.fnUntraced(function* ({ query }, window) {
          return yield* statistics.events({ region: yield* readRegion(query.region), year: query.year, from: yield* since() }, window)
        }),
      ),
      eventPlayers: playersOf(
        ({ eventId }: { readonly eventId: string }) => eventId,
        () => ({}),
      ),
      tournamentPlayers: playersOf(
        ({ tournamentId }: { readonly tournamentId: string }) => tournamentId,
        ({ computedAt }) => ({ computedAt: computedAt === null ? null : dateAt(computedAt).toISOString() }),
      ),
      eventLegends: reading(function* ({ params, query }) {
        const { eventId } = yield* found(params.eventId)
        const legends = yield* statistics.legends(eventId)
        if (legends === undefined) return yield* noEvent(eventId)
        const name = query.legend?.toLowerCase()
        if (name === undefined) return one(legends)
        return one({
          ...legends,
          legends: legends.legends.filter(({ legend }) => legend.toLowerCase() === name),
          compositions: legends.compositions.filter((composition) => composition.legends.some((legend) => legend.toLowerCase() === name)),
        })
      }),
      search: reading(function* ({ query }) {
        const limit = Math.min(query.limit ?? USUAL_HITS, apexLimits.search)
        const data = yield* people.search({ text: query.q, region: yield* readRegion(query.region), limit })
        const hasPlayers = data.length > 0 || (yield* people.hasPlayers)
        const meta = { query: query.q, unavailableReason: hasPlayers ? null : ("not_recorded" as const) }
        return { success: true as const, count: data.length, data, meta }
      }),
      transactions: listHandler(
        { max: apexLimits.transactions },
        Effect.fnUntraced(function* ({ query }, window) {
          const { from, player, region, team, to, type } = query
          const filter = {
            type: yield* readTransactionType(type),
            region: yield* readRegion(region),
            team,
            player,
            from: yield* since(from, to),
            to: until(to),
          }
          const page = yield* people.transactions(filter, window)
          const hasRows = page.total > 0 || (yield* people.hasTransactions)
          return { ...page, unavailableReason: hasRows ? null : ("not_recorded" as const) }
        }),
        { meta: ({ unavailableReason }) => ({ unavailableReason }) },
      ),
    })
  }),
)

const noEvent = (eventId: string) =>
  Effect.fail(NotFound.of(`no event has the id ${eventId}; GET /apex/algs/global-stats lists all events`))
