/**
 * Accepts a fact or rejects it with a reason: a return value, never an exception. Pure. `matchFold` has shared checks.
 */
import { reject } from "@matchpoint/game/rules/rejections"
import { decideMapEnded, decideMapStarted, decideMapsChosen, decideReplayed } from "./decideMap.ts"
import {
  decideBomb,
  decideHillChanged,
  decideHillScored,
  decideKill,
  decideRoundEnded,
  decideRoundStarted,
  decideStatistics,
  decideZone,
} from "./decidePlay.ts"
import type { Fact, FeedEventOf } from "./feedEvents.ts"
import { MAX_ROSTER, mapsToWin, targetOf } from "./format.ts"
import { notLate, type Rejection } from "./rejections.ts"
import { type MatchState, mapInPlay, mapsStarted, placeOf } from "./state.ts"

type Play = Exclude<Fact, FeedEventOf<"Cancelled">>

/** Undefined if the fact is accepted. */
export const decideFact = (state: MatchState, event: Play): Rejection | undefined => notLate(state, event) ?? decidePlay(state, event)

const decidePlay = (state: MatchState, event: Play): Rejection | undefined => {
  switch (event.type) {
    case "MatchStarted":
      return state.status === "scheduled" ? undefined : reject("match_started", "the match has already started")
    case "Forfeited":
      return undefined
    case "MapsChosen":
      return decideMapsChosen(state, event.payload)
    case "PlayerSubstituted":
      return decideSubstituted(state, event.payload)
  }
  if (state.status === "scheduled") return reject("match_not_started", "no MatchStarted was accepted yet")
  switch (event.type) {
    case "MapStarted":
      return decideMapStarted(state, event.payload)
    case "RoundStarted":
      return decideRoundStarted(state, event.payload)
    case "PlayerKilled":
      return decideKill(state, event.payload)
    case "HillChanged":
      return decideHillChanged(state, event)
    case "HillScored":
      return decideHillScored(state, event)
    case "BombPlanted":
    case "BombDefused":
    case "BombDetonated":
      return decideBomb(state, event)
    case "ZoneTicked":
      return decideZone(state, event.payload)
    case "RoundEnded":
      return decideRoundEnded(state, event.payload)
    case "StatisticsReported":
      return decideStatistics(state, event.payload)
    case "MapEnded":
      return decideMapEnded(state, event)
    case "MapReplayed":
      return decideReplayed(state, event.payload)
    case "Suspended":
      return state.suspendedAt === null ? undefined : reject("suspended", "the match is already suspended")
    case "Resumed":
      return state.suspendedAt === null ? reject("not_suspended", "the match is not suspended") : undefined
    case "ScoreCorrected":
      return decideCorrected(state, event.payload)
  }
}

export const decideCreated = ({ payload: { bestOf, maps, teams } }: FeedEventOf<"MatchCreated">): Rejection | undefined => {
  const ids = teams.flatMap(({ players }) => players.map(({ id }) => id))
  if (new Set(ids).size < ids.length) return reject("wrong_players", "a player is listed twice")
  if (teams[0].slug !== null && teams[0].slug === teams[1].slug) return reject("wrong_players", "a team cannot play against itself")
  return maps.length > bestOf ? reject("wrong_maps", `a best of ${bestOf} has at most ${bestOf} maps`) : undefined
}

const decideSubstituted = (state: MatchState, { in: coming, out, side }: FeedEventOf<"PlayerSubstituted">["payload"]) => {
  const { active, players } = state.teams[side]
  const leaving = players.findIndex(({ id }) => id === out)
  if (leaving < 0) return reject("unknown_player", `the team has no player ${out}`)
  if (!active.includes(leaving)) return reject("player_not_active", `${out} is not on the map`)
  const known = placeOf(state, coming.id)
  if (known === undefined)
    return players.length < MAX_ROSTER ? undefined : reject("wrong_players", `a team has at most ${MAX_ROSTER} players`)
  if (known.side !== side) return reject("wrong_side", `${coming.id} plays for the other team`)
  return active.includes(known.position) ? reject("wrong_players", `${coming.id} is already on the map`) : undefined
}

/** The modes must allow the scores, and the match must not be over at them. */
const decideCorrected = (state: MatchState, { maps }: FeedEventOf<"ScoreCorrected">["payload"]): Rejection | undefined => {
  const started = mapsStarted(state)
  if (maps.length !== started) return reject("impossible_score", `${started} maps have started, but the correction has ${maps.length}`)
  const won: [number, number] = [0, 0]
  for (const [index, [one, two]] of maps.entries()) {
    const mode = state.maps[index]?.mode ?? "hardpoint"
    const target = targetOf[mode]
    const isInProgress = mapInPlay(state) === state.maps[index]
    const [most, least] = one > two ? [one, two] : [two, one]
    if (most > target || least >= target) return reject("impossible_score", `map ${index + 1} cannot stand at ${one}-${two}`)
    if (isInProgress) continue
    // The time limit decides hardpoint below the target.
    if (most === least || (mode !== "hardpoint" && most < target))
      return reject("impossible_score", `map ${index + 1} is not over at ${one}-${two}`)
    won[one > two ? 0 : 1] += 1
  }
  return Math.max(...won) >= mapsToWin(state.bestOf) ? reject("impossible_score", "the match is over at this score") : undefined
}
