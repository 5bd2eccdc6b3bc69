import { matchContract } from "@matchpoint/game/contract/matchContract"
import { Schema } from "effect"
import { APEX } from "../rules/game.ts"
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { apexDocument } from "./CompactApexMatch.ts"
import { LiveApexMatch, LiveGame } from "./LiveApexMatch.ts"

const { id, status, source, silence, name, stage, region, tournament, format, suspendedAt, startedAt, updatedAt } = LiveApexMatch.fields
const { map, number, playersLeft, ring, teamsLeft } = LiveGame.fields

/** For lists. */
export const LiveApexRow = Schema.Struct({
  ...{ id, status, source, silence, name, stage, region, tournament, format },
  teamCount: Schema.Natural,
  gamesPlayed: Schema.Natural,
  game: Schema.NullOr(Schema.Struct({ number, map, ring, teamsLeft, playersLeft })),
  leaders: Schema.Array(Schema.Struct({ teamName: Schema.String, rank: Schema.Natural, points: Schema.Natural })).annotate({
    description: "The first five teams of the moving standings",
  }),
  ...{ suspendedAt, startedAt, updatedAt },
}).annotate({ identifier: "LiveApexRow" })
export type LiveApexRow = typeof LiveApexRow.Type

const LEADERS = 5

export const liveRowOf = (match: LiveApexMatch): LiveApexRow => ({
  id: match.id,
  status: match.status,
  source: match.source,
  silence: match.silence,
  name: match.name,
  stage: match.stage,
  region: match.region,
  tournament: match.tournament,
  format: match.format,
  teamCount: match.teams.length,
  gamesPlayed: match.games.length,
  game:
    match.game === null
      ? null
      : {
          number: match.game.number,
          map: match.game.map,
          ring: match.game.ring,
          teamsLeft: match.game.teamsLeft,
          playersLeft: match.game.playersLeft,
        },
  leaders: match.standings
    .slice(0, LEADERS)
    .map(({ points, rank, team }) => ({ teamName: match.teams[team - 1]?.name ?? "", rank, points })),
  suspendedAt: match.suspendedAt,
  startedAt: match.startedAt,
  updatedAt: match.updatedAt,
})

export const apexLive = matchContract({
  game: APEX,
  event: FeedEvent,
  document: apexDocument,
  // A part is a game, and a round is a ring.
  isAtOrPast: ({ game, games }, part, round) => {
    const current = game?.number ?? Object.keys(games).length
    return current > part || (current === part && (game === undefined || (game.ring?.ring ?? 1) >= round))
  },
  rowOf: liveRowOf,
})
