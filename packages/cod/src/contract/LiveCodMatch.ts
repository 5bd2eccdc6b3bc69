/**
 * A live Call of Duty match and its events in message format v1. Teams are numbered 1 and 2. Field names are those of
 * the archive of the league.
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { MatchId } from "@matchpoint/domain/ids"
import { FeedSilence } from "@matchpoint/game/contract/FeedSilence"
import { Schema } from "effect"
import { modeNames } from "../rules/archive/modes.ts"
import { PauseReason, RoundReason, Site } from "../rules/live/feedEvents.ts"
import { BestOf, liveModes } from "../rules/live/format.ts"
import { PlayerId, TeamSlug, TournamentId } from "../rules/live/registry.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })
const nullable = Schema.NullOr
const Count = Schema.Natural

export const TeamNumber = described(Schema.Literals([1, 2]), "Team of the match: 1 or 2")
export type TeamNumber = typeof TeamNumber.Type

export const CodStatus = Schema.Literals(["upcoming", "live", "completed", "cancelled"])
export type CodStatus = typeof CodStatus.Type

/** The backup feed is in use while the main feed is silent. */
export const CodSource = Schema.Literals(["live", "live_backup"])

export const CodEndReason = described(Schema.Literals(["completed", "forfeit", "cancelled"]), "`completed` if the score decided")

export const GameModeName = Schema.Literals(liveModes.map((mode) => modeNames[mode]))

/** Counters of modes that are not played stay 0. */
const counters = {
  kills: Count,
  deaths: Count,
  assists: Count,
  damage: described(nullable(Count), "null until a feed reports it"),
  hillTime: described(Count, "Seconds on the hill"),
} as const

export const CodMapStats = Schema.Struct({ ...counters, streak: described(Count, "Kills since the last death") })

export const CodTotals = Schema.Struct({
  ...counters,
  firstBloods: described(Count, "Rounds of search and destroy in which the player had the first kill"),
  firstDeaths: Count,
  plants: Count,
  defuses: Count,
  captures: described(Count, "Zone ticks captured in control"),
  highestStreak: described(Count, "Most kills without a death, on one map"),
  tradeKills: described(Count, "Kills of an opponent who had killed a teammate within the last 5 seconds"),
  tradedDeaths: described(Count, "Deaths after which a teammate killed the killer within 5 seconds"),
  clutchAttempts: described(Count, "Rounds of search and destroy as the last of the team against 1 to 3 opponents"),
  clutchWins: Count,
})

export const CodPlayer = Schema.Struct({
  playerId: PlayerId,
  ign: described(Schema.String, "Handle"),
  isActive: described(Schema.Boolean, "false for substitutes"),
  isAlive: described(nullable(Schema.Boolean), "In a round of search and destroy; null otherwise"),
  map: described(nullable(CodMapStats), "On the map in progress; null between maps"),
  total: described(CodTotals, "On all maps of the match"),
})
export type CodPlayer = typeof CodPlayer.Type

export const CodTeam = Schema.Struct({
  slug: described(nullable(TeamSlug), "Id in the archive; null if the feed does not know it"),
  name: Schema.String,
  score: described(Count, "Maps won"),
  timeouts: described(Count, "Timeouts taken"),
  players: Schema.Array(CodPlayer),
})
export type CodTeam = typeof CodTeam.Type

const place = {
  mapNumber: described(Count, "Number of the map in the match, counted from 1"),
  mapName: Schema.String,
  gameMode: GameModeName,
}
const scores = { team1Score: described(Count, "Points in hardpoint, rounds won in other modes"), team2Score: Count } as const

export const CodHill = Schema.Struct({
  hill: described(Count, "Number of the hill on this map, counted from 1. The next one opens every 60 seconds"),
  holder: described(nullable(TeamNumber), "Team that scores"),
  isContested: Schema.Boolean,
})

const PerTeam = Schema.Struct({ team1: Count, team2: Count }).annotate({ identifier: "CodPerTeam" })

export const CodBomb = Schema.Struct({ site: Site, status: Schema.Literals(["planted", "defused", "detonated"]) })

export const CodRound = Schema.Struct({
  round: described(Count, "Number of the round on this map, counted from 1"),
  alive: described(nullable(PerTeam), "Living players; null in control"),
  lives: described(nullable(PerTeam), "Lives left; null in search and destroy"),
  zones: described(nullable(Schema.Struct({ a: Count, b: Count })), "Ticks captured of each zone, up to 3; null in search and destroy"),
  bomb: described(nullable(CodBomb), "null before the plant"),
})

export const CodCurrentMap = Schema.Struct({
  ...place,
  ...scores,
  startedAt: Timestamp,
  attacker: described(nullable(TeamNumber), "Team that attacks in this round, or in the next one; null in hardpoint"),
  hill: described(nullable(CodHill), "Hardpoint only"),
  round: described(nullable(CodRound), "Round in progress; null between rounds and in hardpoint"),
})

export const CodMap = Schema.Struct({
  ...place,
  ...scores,
  status: Schema.Literals(["upcoming", "live", "completed"]),
  pickedBy: described(nullable(TeamNumber), "Team that chose the map in the veto"),
  winner: nullable(TeamNumber),
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
})
export type CodMap = typeof CodMap.Type

export const CodTournament = Schema.Struct({
  tournamentId: described(nullable(TournamentId), "Id in the archive; null if the feed does not know it"),
  name: Schema.String,
})

export const LiveCodMatch = Schema.Struct({
  matchId: MatchId,
  status: CodStatus,
  source: described(CodSource, "Feed in use"),
  silence: FeedSilence,
  tournament: CodTournament,
  round: described(nullable(Schema.String), "Part of the tournament, such as `Winners Round 1`"),
  bestOf: BestOf,
  team1: CodTeam,
  team2: CodTeam,
  currentMap: described(nullable(CodCurrentMap), "Map in progress; null between maps"),
  maps: described(Schema.Array(CodMap), "Maps of the veto in order. Empty before the veto"),
  isComplete: described(Schema.Boolean, "false if statistics lack facts, because the score was corrected or history was lost"),
  suspension: described(
    nullable(Schema.Struct({ reason: PauseReason, team: nullable(TeamNumber), since: Timestamp })),
    "Set while play is suspended. `team` has taken the timeout",
  ),
  winner: nullable(TeamNumber),
  endReason: nullable(CodEndReason),
  startedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  updatedAt: described(Timestamp, "Time of the last change, by the clock of the feed"),
}).annotate({ identifier: "LiveCodMatch" })
export type LiveCodMatch = typeof LiveCodMatch.Type

const optional = Schema.optionalKey

/** In both message formats. Fields that do not apply to the type of the event are absent. */
export const LiveCodEvent = Schema.Struct({
  eventId: Schema.String,
  type: Schema.Literals([
    "maps_chosen",
    "match_started",
    "map_started",
    "round_started",
    "kill",
    "hill_changed",
    "hill_scored",
    "bomb_planted",
    "bomb_defused",
    "bomb_detonated",
    "zone_ticked",
    "round_ended",
    "map_ended",
    "map_replayed",
    "player_substituted",
    "suspended",
    "resumed",
    "score_corrected",
    "forfeited",
    "cancelled",
  ]),
  at: Timestamp,
  mapNumber: optional(Count),
  round: optional(Count),
  team: optional(described(TeamNumber, "Team of the attacker, of the scoring side, or of the winner")),
  attacker: optional(described(PlayerId, "Absent if no player caused the death")),
  victim: optional(PlayerId),
  weapon: optional(Schema.String),
  assists: optional(Schema.Array(PlayerId)),
  isTrade: optional(Schema.Boolean),
  isFirstBlood: optional(Schema.Boolean),
  streak: optional(described(Count, "Kills of the attacker since the last death, this one included")),
  player: optional(described(PlayerId, "Player who planted, defused, or joined the map")),
  site: optional(Site),
  reason: optional(RoundReason),
  team1Score: optional(described(Count, "Score of the map after the event")),
  team2Score: optional(Count),
}).annotate({ identifier: "LiveCodEvent" })
export type LiveCodEvent = typeof LiveCodEvent.Type
