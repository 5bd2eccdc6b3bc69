import { NotCovered, UnknownValue } from "@matchpoint/contracts/http/errors"
import { isOn } from "@matchpoint/contracts/http/listing"
import { reading, since, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { CodLeague } from "../../archive/league/CodLeague.ts"
import { CodMatchArchive } from "../../archive/matches/CodMatchArchive.ts"
import { CodApi } from "../../contract/http/CodApi.ts"
import { tieBreaks } from "../../rules/archive/standings.ts"
import { endOfSeason, matchList, matchPage } from "./pages.ts"

type Query<Name extends string, Value> = { readonly [Key in Name]?: Value }
interface StandingsRequest {
  readonly query: Query<"season", number> & Query<"stage", string>
}
interface ScheduleRequest {
  readonly query: Query<"limit" | "offset" | "page", number> & { readonly upcoming?: Parameters<typeof isOn>[0] }
}

export const CodLeagueHandlers = endpointGroup(
  CodApi,
  "cod-league",
  Effect.fn(function* (handlers) {
    const league = yield* CodLeague
    const matches = yield* CodMatchArchive

    const standings = reading(function* ({ query }: StandingsRequest) {
      const { rows, season, unknownScores } = yield* league.standings(query.season, query.stage)
      if (season !== null) yield* withinHistory(endOfSeason(season))
      if (rows.length === 0 && season !== null) {
        const seasons = yield* league.seasons
        if (!seasons.includes(season)) return yield* NotCovered.of("season", String(season), seasons.map(String))
        if (query.stage !== undefined) return yield* UnknownValue.of("stage", query.stage, yield* league.stages(season))
      }
      return {
        success: true as const,
        count: rows.length,
        season,
        stage: query.stage ?? null,
        cdlPointsReason: rows.some(({ cdlPoints }) => cdlPoints === null) ? ("points_table_unknown" as const) : null,
        rankReason: rows.some(({ rank }) => rank === null) ? ("no_matches" as const) : null,
        teamLogoReason: rows.some(({ teamLogo }) => teamLogo === null) ? ("not_stated" as const) : null,
        unknownScores,
        tieBreaks,
        data: rows,
      }
    })

    const schedule = reading(function* ({ query }: ScheduleRequest) {
      const upcoming = query.upcoming === undefined || isOn(query.upcoming)
      const season = upcoming ? undefined : (yield* league.seasons)[0]
      const page = matchPage(query)
      const found = yield* matches.schedule(upcoming, { season, from: upcoming ? undefined : yield* since() }, page)
      const broadcastedReason = found.rows.some(({ broadcasted }) => broadcasted === null) ? ("not_stated" as const) : null
      return matchList(page, found, { season: season ?? null, broadcastedReason })
    })

    return handlers.handleAll({ standings, standingsAlias: standings, schedule, scheduleAlias: schedule })
  }),
)
