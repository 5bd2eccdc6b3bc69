/** Reasons why an event is rejected, and the checks that several kinds of events share. */
import { type Rejection as RejectionOf, reject, type SharedRejectionCode } from "@matchpoint/game/rules/rejections"
import type { FeedEvent } from "./feedEvents.ts"
import { isRoundBased, targetOf } from "./format.ts"
import type { PlayerId } from "./registry.ts"
import { type CurrentMap, isDecided, type MatchMap, type MatchState, mapsStarted, type Place, placeOf, type Round } from "./state.ts"

export type RejectionCode =
  | SharedRejectionCode
  | "match_started"
  | "early_fact"
  | "map_not_chosen"
  | "map_in_progress"
  | "map_not_in_progress"
  | "map_not_over"
  | "map_over"
  | "round_in_progress"
  | "round_not_in_progress"
  | "wrong_mode"
  | "wrong_maps"
  | "wrong_players"
  | "wrong_side"
  | "wrong_winner"
  | "unknown_player"
  | "player_not_active"
  | "player_dead"
  | "no_lives"
  | "no_bomb"
  | "bomb_over"
  | "impossible_score"
  | "impossible_statistics"

export type Rejection = RejectionOf<RejectionCode>

export type InPlay = { readonly map: MatchMap; readonly current: CurrentMap }

/** The map in progress if the fact belongs to it and play is not suspended, or the reason why it does not. */
export const inPlay = (state: MatchState, number: number): InPlay | Rejection => {
  if (state.suspendedAt !== null) return reject("suspended", "the match is suspended; send Resumed first")
  return onMap(state, number)
}

/** Like `inPlay`, but also while play is suspended. */
export const onMap = (state: MatchState, number: number): InPlay | Rejection => {
  const { current, maps } = state
  const map = current === null ? undefined : maps[current.map - 1]
  if (current === null || map === undefined) {
    return number <= mapsStarted(state)
      ? reject("late_fact", `map ${number} is over`)
      : reject("map_not_in_progress", `map ${number} has not started; send MapStarted first`)
  }
  if (number === current.map) return { map, current }
  return reject(number < current.map ? "late_fact" : "early_fact", `map ${current.map} is in progress, not map ${number}`)
}

export const isRejection = (value: object): value is Rejection => "code" in value

/** The round in progress if the fact belongs to it, or the reason why it does not. */
export const inRound = ({ current, map }: InPlay, number: number | undefined): Round | Rejection => {
  if (!isRoundBased(map.mode)) return reject("wrong_mode", `${map.mode} has no rounds`)
  if (number === undefined) return reject("early_fact", "the fact needs the number of its `round`")
  if (number <= current.roundsPlayed) return reject("late_fact", `round ${number} is over`)
  if (current.round === null) return reject("round_not_in_progress", `round ${number} has not started; send RoundStarted first`)
  return number === current.round.round
    ? current.round
    : reject("early_fact", `round ${current.round.round} is in progress, not round ${number}`)
}

/** The place of a player on the map, or the reason why there is none. */
export const activePlayer = (state: MatchState, id: PlayerId): Place | Rejection => {
  const place = placeOf(state, id)
  if (place === undefined) return reject("unknown_player", `no team of the match has the player ${id}`)
  return state.teams[place.side].active.includes(place.position)
    ? place
    : reject("player_not_active", `${id} is not on the map; send PlayerSubstituted first`)
}

/** Rejects play after a side has reached the score that wins the map. */
export const notDecided = ({ map }: InPlay): Rejection | undefined =>
  isDecided(map, targetOf[map.mode]) ? reject("map_over", `the map is over at ${map.scores.join("-")}; send MapEnded`) : undefined

/** Facts may arrive this much later than newer facts of the same feed. */
export const MAX_DELAY_MS = 10_000

/**
 * Rejects a fact that was observed long before the newest accepted fact: a repetition whose id is no longer known. Facts
 * of the other feed must be newer than the newest fact, because both feeds report the same facts under different ids.
 */
export const notLate = ({ newest }: MatchState, { id, observedAt, source }: FeedEvent): Rejection | undefined => {
  const limit = newest.source === source ? newest.at - MAX_DELAY_MS : newest.at + 1
  return observedAt < limit
    ? reject("late_fact", `fact ${id} was observed too long before the newest fact, which is of ${newest.at}`)
    : undefined
}
