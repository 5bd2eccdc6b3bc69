/** Row of a change in the match's list of events. No side effects. */
import type { LiveCodEvent } from "../contract/LiveCodMatch.ts"
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import { type MatchState, placeOf } from "../rules/live/state.ts"
import { iso, numberOf } from "./documentOf.ts"

/** Null if the change is not listed. */
export const rowOf = (state: MatchState, event: FeedEvent): LiveCodEvent | null => {
  const type = rowTypes[event.type]
  if (type === null) return null
  return { eventId: `${state.epoch}-${state.seq}`, type, at: iso(event.observedAt), ...detailsOf(state, event) }
}

const rowTypes: Readonly<Record<FeedEvent["type"], LiveCodEvent["type"] | null>> = {
  MatchCreated: null,
  MapsChosen: "maps_chosen",
  MatchStarted: "match_started",
  MapStarted: "map_started",
  RoundStarted: "round_started",
  PlayerKilled: "kill",
  HillChanged: "hill_changed",
  HillScored: "hill_scored",
  BombPlanted: "bomb_planted",
  BombDefused: "bomb_defused",
  BombDetonated: "bomb_detonated",
  ZoneTicked: "zone_ticked",
  RoundEnded: "round_ended",
  StatisticsReported: null,
  MapEnded: "map_ended",
  MapReplayed: "map_replayed",
  PlayerSubstituted: "player_substituted",
  Suspended: "suspended",
  Resumed: "resumed",
  ScoreCorrected: "score_corrected",
  Forfeited: "forfeited",
  Cancelled: "cancelled",
  SourceChanged: null,
  FeedSilent: null,
  HistoryLost: null,
}

type Details = Omit<LiveCodEvent, "eventId" | "type" | "at">

const detailsOf = (state: MatchState, event: FeedEvent): Details => {
  switch (event.type) {
    case "MapStarted":
    case "MapReplayed":
      return { mapNumber: event.payload.map }
    case "RoundStarted":
    case "BombDetonated":
      return inRound(event.payload)
    case "PlayerKilled": {
      const { assists, attacker, map, round, victim, weapon } = event.payload
      const { lastKill } = state
      const side = attacker === null ? undefined : placeOf(state, attacker)?.side
      return {
        mapNumber: map,
        ...(round === undefined ? {} : { round }),
        ...(side === undefined ? {} : { team: numberOf(side) }),
        ...(attacker === null ? {} : { attacker }),
        victim,
        ...(weapon === undefined ? {} : { weapon }),
        assists,
        ...(lastKill === null ? {} : { isTrade: lastKill.isTrade, isFirstBlood: lastKill.isFirstBlood, streak: lastKill.streak }),
      }
    }
    case "HillChanged": {
      const { hill, holder, map } = event.payload
      return { mapNumber: map, round: hill, ...(holder === null ? {} : { team: numberOf(holder) }) }
    }
    case "HillScored":
      return { mapNumber: event.payload.map, team: numberOf(event.payload.side), ...scoresOf(state, event.payload.map) }
    case "BombPlanted":
      return { ...inRound(event.payload), player: event.payload.player, site: event.payload.site }
    case "BombDefused":
      return { ...inRound(event.payload), player: event.payload.player }
    case "ZoneTicked":
      return { ...inRound(event.payload), site: event.payload.zone }
    case "RoundEnded": {
      const { map, reason, winner } = event.payload
      return { ...inRound(event.payload), team: numberOf(winner), reason, ...scoresOf(state, map) }
    }
    case "MapEnded":
      return { mapNumber: event.payload.map, team: numberOf(event.payload.winner), ...scoresOf(state, event.payload.map) }
    case "PlayerSubstituted":
      return { team: numberOf(event.payload.side), player: event.payload.in.id }
    case "Suspended":
      return event.payload.side === null ? {} : { team: numberOf(event.payload.side) }
    case "Forfeited":
      return { team: numberOf(event.payload.side === 0 ? 1 : 0) }
    default:
      return {}
  }
}

const inRound = ({ map, round }: { readonly map: number; readonly round: number }): Details => ({ mapNumber: map, round })

const scoresOf = ({ maps }: MatchState, map: number): Details => {
  const scores = maps[map - 1]?.scores
  return scores === undefined ? {} : { team1Score: scores[0], team2Score: scores[1] }
}
