/** Checks facts that choose, start, end and repeat maps. No side effects. */
import { reject } from "@matchpoint/game/rules/rejections"
import { decideLines } from "./decideLines.ts"
import type { FeedEventOf } from "./feedEvents.ts"
import { HARDPOINT_MS, isRoundBased, targetOf } from "./format.ts"
import { elapsedMs, TIME_TOLERANCE_MS } from "./mapTime.ts"
import { isRejection, onMap, type Rejection } from "./rejections.ts"
import { isDecided, type MatchState, mapsStarted } from "./state.ts"

export const decideMapsChosen = (state: MatchState, { maps }: FeedEventOf<"MapsChosen">["payload"]): Rejection | undefined => {
  if (maps.length > state.bestOf) return reject("wrong_maps", `a best of ${state.bestOf} has at most ${state.bestOf} maps`)
  const started = mapsStarted(state)
  if (maps.length < started) return reject("wrong_maps", `${started} maps have started; list them first`)
  const changed = state.maps.findIndex(
    (map, index) => index < started && (map.name !== maps[index]?.name || map.mode !== maps[index]?.mode),
  )
  return changed < 0 ? undefined : reject("wrong_maps", `map ${changed + 1} has started and cannot be exchanged`)
}

export const decideMapStarted = (state: MatchState, { attacker, map }: FeedEventOf<"MapStarted">["payload"]): Rejection | undefined => {
  if (state.suspendedAt !== null) return reject("suspended", "the match is suspended; send Resumed first")
  const started = mapsStarted(state)
  if (map <= started) return reject("late_fact", `map ${map} has already started`)
  if (state.current !== null) return reject("map_in_progress", `map ${state.current.map} is in progress; send MapEnded first`)
  if (map > started + 1) return reject("early_fact", `the next map is map ${started + 1}`)
  const chosen = state.maps[map - 1]
  if (chosen === undefined) return reject("map_not_chosen", `map ${map} is unknown; send MapsChosen first`)
  if (isRoundBased(chosen.mode) && attacker === null) return reject("wrong_side", `${chosen.mode} needs the attacker of the first round`)
  return !isRoundBased(chosen.mode) && attacker !== null ? reject("wrong_side", "hardpoint has no attacker") : undefined
}

export const decideMapEnded = (state: MatchState, event: FeedEventOf<"MapEnded">): Rejection | undefined => {
  const { isForfeit = false, map: number, statistics = [], winner } = event.payload
  const play = onMap(state, number)
  if (isRejection(play)) return play
  const { current, map } = play
  const [own, other] = winner === 0 ? map.scores : [map.scores[1], map.scores[0]]
  if (!isForfeit) {
    if (own <= other) return reject("wrong_winner", `the map stands at ${map.scores.join("-")}, so the other team leads`)
    const isTimeUp = map.mode === "hardpoint" && elapsedMs(map, current, event) >= HARDPOINT_MS - TIME_TOLERANCE_MS
    if (!isDecided(map, targetOf[map.mode]) && !isTimeUp) {
      return reject("map_not_over", `the map is not over at ${map.scores.join("-")}`)
    }
  }
  return decideLines(state, map.mode, statistics)
}

export const decideReplayed = (state: MatchState, { map }: FeedEventOf<"MapReplayed">["payload"]): Rejection | undefined => {
  const started = mapsStarted(state)
  if (map === started) return undefined
  return map < started
    ? reject("late_fact", `only the newest map, map ${started}, can be played again`)
    : reject("map_not_in_progress", `map ${map} has not started`)
}
