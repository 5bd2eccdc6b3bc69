import { ValidationError } from "@matchpoint/contracts/http/errors"
import { reading } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { type AnalyticsTeam, TeamAnalytics, type TeamMap } from "../../archive/analytics/TeamAnalytics.ts"
import { CodLeague } from "../../archive/league/CodLeague.ts"
import { CodApi } from "../../contract/http/CodApi.ts"
import { playstyleOf } from "../../rules/analytics/playstyle.ts"
import { countTeamMeetings } from "../../rules/analytics/teamMeetings.ts"
import { tendenciesOf } from "../../rules/analytics/tendencies.ts"
import { modeNames } from "../../rules/archive/modes.ts"
import { winShare } from "../../rules/archive/standings.ts"
import { findTeams, scopeOf } from "./analyticsScope.ts"

export const CodTeamAnalyticsHandlers = endpointGroup(
  CodApi,
  "cod-team-analytics",
  Effect.fn(function* (handlers) {
    const analytics = yield* TeamAnalytics
    const league = yield* CodLeague

    return handlers.handleAll({
      style: reading(function* ({ params: { slug }, query: { season } }) {
        const scope = yield* scopeOf(league, season)
        const teams = yield* findTeams(analytics, [slug])
        const { gaps, playstyle } = playstyleOf(slug, yield* analytics.modeSums(scope))
        const maps = yield* analytics.maps([slug], scope)
        const { strongestMode, weakestMode, ...preferred } = tendenciesOf(maps)
        return {
          success: true as const,
          season: season ?? null,
          team: teams[0]?.name ?? slug,
          teamSlug: slug,
          mapsPlayed: maps.reduce((total, map) => total + map.maps, 0),
          playstyle,
          tendencies: {
            ...preferred,
            strongestMode: strongestMode === null ? null : modeNames[strongestMode],
            weakestMode: weakestMode === null ? null : modeNames[weakestMode],
          },
          gaps,
        }
      }),
      headToHead: reading(function* ({ query: { team1: slug1, team2: slug2 } }) {
        if (slug1 === slug2) {
          return yield* ValidationError.because("team2 must be another team than team1", { parameter: "team2" })
        }
        const scope = yield* scopeOf(league, undefined)
        const [team1, team2] = yield* findTeams(analytics, [slug1, slug2])
        const meetings = yield* analytics.meetings(slug1, slug2, scope)
        const [season = null] = yield* league.seasons
        return {
          success: true as const,
          team1: team1 ?? { slug: slug1, name: slug1 },
          team2: team2 ?? { slug: slug2, name: slug2 },
          ...countTeamMeetings(slug1, meetings, season),
        }
      }),
      mapComparison: reading(function* ({ query: { season, teams: slugs } }) {
        const scope = yield* scopeOf(league, season)
        const teams = yield* findTeams(analytics, slugs)
        const maps = comparedMaps(teams, yield* analytics.maps(slugs, scope))
        return { success: true as const, season: season ?? null, count: maps.length, teams, maps }
      }),
    })
  }),
)

/** `records` are sorted by mode and map. */
const comparedMaps = (teams: ReadonlyArray<AnalyticsTeam>, records: ReadonlyArray<TeamMap>) =>
  [...Map.groupBy(records, ({ mapName, mode }) => `${mode} ${mapName}`).values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    const of = ({ slug }: AnalyticsTeam) => {
      const record = some.find(({ teamSlug }) => teamSlug === slug)
      const { maps = 0, picks = 0, points = 0, pointsAgainst = 0, wins = 0 } = record ?? {}
      return {
        slug,
        played: maps,
        wins,
        losses: maps - wins,
        winPct: winShare(wins, maps - wins),
        picks,
        pointsFor: points,
        pointsAgainst,
        lastPlayed: record?.lastPlayed ?? null,
      }
    }
    return [{ mapName: first.mapName, gameMode: modeNames[first.mode], teams: teams.map(of) }]
  })
