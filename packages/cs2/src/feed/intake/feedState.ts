/** The response with which a match organiser monitors the feeds. */
import type { FeedState } from "../../contract/http/feed/Cs2FeedApi.ts"
import { currentMap, type MatchState, type Team } from "../../rules/live/state.ts"

/** `now` is in epoch milliseconds. */
export const feedState = (state: MatchState, reports: Pick<FeedState, "feeds" | "rejected">, now: number): FeedState => {
  const { matchId, round, seriesScore, silence, source, status, teams, unresolvedNames } = state
  const map = currentMap(state)
  return {
    matchId,
    status,
    bestOf: state.bestOf,
    teams: [shown(teams[0]), shown(teams[1])],
    seriesScore,
    source,
    lastFactAt: state.receivedAt,
    silence:
      silence === null
        ? null
        : {
            status: silence.status,
            lastReportAt: silence.lastReportAt,
            ageSeconds: Math.max(0, Math.floor((now - silence.lastReportAt) / 1_000)),
          },
    unresolvedNames: unresolvedNames.map(({ name, team }) => ({ name, teamId: teams[team].id })),
    current:
      map === undefined
        ? null
        : { mapNumber: map.number, mapName: map.name, round: round?.number ?? 0, phase: round?.phase ?? null, score: map.score },
    ...reports,
  }
}

const shown = ({ aliases, id, name }: Team): FeedState["teams"][number] => ({ id, name, aliases })
