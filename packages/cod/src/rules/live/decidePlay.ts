/** Checks facts of play on a map: kills, objectives, rounds and statistics. No side effects. */
import { reject } from "@matchpoint/game/rules/rejections"
import { decideLines } from "./decideLines.ts"
import type { FeedEventOf, FeedEventType } from "./feedEvents.ts"
import { HILL_MS, isRoundBased, otherSide, type SideIndex, targetOf, ZONE_TICKS } from "./format.ts"
import { elapsedMs, TIME_TOLERANCE_MS } from "./mapTime.ts"
import type { PlayerId } from "./registry.ts"
import { activePlayer, inPlay, inRound, isRejection, notDecided, onMap, type Rejection } from "./rejections.ts"
import { attackerOf, type MatchState } from "./state.ts"

type Payload<T extends FeedEventType> = FeedEventOf<T>["payload"]

export const decideRoundStarted = (state: MatchState, { map: number, round }: Payload<"RoundStarted">): Rejection | undefined => {
  const play = inPlay(state, number)
  if (isRejection(play)) return play
  if (!isRoundBased(play.map.mode)) return reject("wrong_mode", `${play.map.mode} has no rounds`)
  const over = notDecided(play)
  if (over !== undefined) return over
  const { current } = play
  if (round <= current.roundsPlayed) return reject("late_fact", `round ${round} is over`)
  if (current.round !== null) {
    return round === current.round.round
      ? reject("late_fact", `round ${round} has already started`)
      : reject("round_in_progress", `round ${current.round.round} is in progress; send RoundEnded first`)
  }
  return round === current.roundsPlayed + 1 ? undefined : reject("early_fact", `the next round is round ${current.roundsPlayed + 1}`)
}

export const decideKill = (state: MatchState, payload: Payload<"PlayerKilled">): Rejection | undefined => {
  const play = inPlay(state, payload.map)
  if (isRejection(play)) return play
  const over = notDecided(play)
  if (over !== undefined) return over
  const victim = activePlayer(state, payload.victim)
  if (isRejection(victim)) return victim
  const attacker = payload.attacker === null ? undefined : activePlayer(state, payload.attacker)
  if (attacker !== undefined && isRejection(attacker)) return attacker
  for (const id of payload.assists) {
    const helper = activePlayer(state, id)
    if (isRejection(helper)) return helper
    if (attacker === undefined || helper.side !== attacker.side || id === payload.attacker) {
      return reject("wrong_side", `${id} cannot assist; assists are teammates of the attacker`)
    }
  }
  if (new Set(payload.assists).size < payload.assists.length) return reject("wrong_players", "a player assists twice")
  if (!isRoundBased(play.map.mode)) {
    return payload.round === undefined ? undefined : reject("wrong_mode", "hardpoint has no rounds")
  }
  const round = inRound(play, payload.round)
  if (isRejection(round)) return round
  if (play.map.mode === "control") {
    return round.lives[victim.side] > 0 ? undefined : reject("no_lives", `the team of ${payload.victim} has no lives left`)
  }
  return ((round.alive[victim.side] >> victim.position) & 1) === 1
    ? undefined
    : reject("player_dead", `${payload.victim} is already dead in round ${round.round}`)
}

export const decideHillChanged = (state: MatchState, event: FeedEventOf<"HillChanged">): Rejection | undefined => {
  const { hill, holder, isContested, map: number } = event.payload
  const play = inPlay(state, number)
  if (isRejection(play)) return play
  if (play.map.mode !== "hardpoint") return reject("wrong_mode", `${play.map.mode} has no hill`)
  const known = play.current.hill?.hill ?? 1
  if (hill < known) return reject("late_fact", `hill ${known} is in play, not hill ${hill}`)
  if (isContested && holder !== null) return reject("wrong_side", "a contested hill has no holder")
  // A hill opens every minute. Hills whose facts were lost are skipped.
  const opened = 1 + Math.floor((elapsedMs(play.map, play.current, event) + TIME_TOLERANCE_MS) / HILL_MS)
  return hill > opened ? reject("early_fact", `hill ${hill} has not opened yet; a hill opens every ${HILL_MS / 1_000} s`) : undefined
}

export const decideHillScored = (state: MatchState, event: FeedEventOf<"HillScored">): Rejection | undefined => {
  const { map: number, players, score, side } = event.payload
  const play = inPlay(state, number)
  if (isRejection(play)) return play
  const { current, map } = play
  if (map.mode !== "hardpoint") return reject("wrong_mode", `${map.mode} has no hill`)
  if (score <= map.scores[side]) return reject("late_fact", `the team already has ${map.scores[side]} points`)
  const over = notDecided(play)
  if (over !== undefined) return over
  if (score > targetOf.hardpoint) return reject("impossible_score", `a team has at most ${targetOf.hardpoint} points`)
  const total = score + map.scores[otherSide(side)]
  const most = Math.floor((elapsedMs(map, current, event) + TIME_TOLERANCE_MS) / 1_000)
  if (total > most) return reject("impossible_score", `both teams have at most ${most} points, one for each second of play`)
  return onSide(state, players, side)
}

/** Rejects players who are not on the map for this side, and players who are listed twice. */
const onSide = (state: MatchState, players: ReadonlyArray<PlayerId>, side: SideIndex): Rejection | undefined => {
  for (const id of players) {
    const place = activePlayer(state, id)
    if (isRejection(place)) return place
    if (place.side !== side) return reject("wrong_side", `${id} plays for the other team`)
  }
  return new Set(players).size < players.length ? reject("wrong_players", "a player is listed twice") : undefined
}

export const decideBomb = (
  state: MatchState,
  event: FeedEventOf<"BombPlanted" | "BombDefused" | "BombDetonated">,
): Rejection | undefined => {
  const play = inPlay(state, event.payload.map)
  if (isRejection(play)) return play
  if (play.map.mode !== "snd") return reject("wrong_mode", `${play.map.mode} has no bomb`)
  const round = inRound(play, event.payload.round)
  if (isRejection(round)) return round
  const { bomb } = round
  if (event.type === "BombPlanted") {
    if (bomb !== null) return reject("bomb_over", "the bomb was already planted in this round")
    return actor(state, event.payload.player, attackerOf(play.current), round.alive)
  }
  if (bomb === null) return reject("no_bomb", "the bomb is not planted; send BombPlanted first")
  if (bomb.status !== "planted") return reject("bomb_over", `the bomb was already ${bomb.status}`)
  if (event.type === "BombDetonated") return undefined
  const attacker = attackerOf(play.current)
  return actor(state, event.payload.player, attacker === null ? null : otherSide(attacker), round.alive)
}

/** Rejects a player of the wrong side, and a dead one. */
const actor = (state: MatchState, id: PlayerId, side: SideIndex | null, alive: readonly [number, number]): Rejection | undefined => {
  const place = activePlayer(state, id)
  if (isRejection(place)) return place
  if (place.side !== side) return reject("wrong_side", `attackers plant and defenders defuse; ${id} is on the wrong side`)
  return ((alive[place.side] >> place.position) & 1) === 1 ? undefined : reject("player_dead", `${id} is dead`)
}

export const decideZone = (state: MatchState, { map: number, players, round: ofRound, tick, zone }: Payload<"ZoneTicked">) => {
  const play = inPlay(state, number)
  if (isRejection(play)) return play
  if (play.map.mode !== "control") return reject("wrong_mode", `${play.map.mode} has no zones`)
  const round = inRound(play, ofRound)
  if (isRejection(round)) return round
  const ticks = round.zones[zone === "a" ? 0 : 1]
  if (tick !== ticks + 1) return reject(tick <= ticks ? "late_fact" : "early_fact", `zone ${zone} has ${ticks} ticks`)
  const attacker = attackerOf(play.current)
  return attacker === null ? undefined : onSide(state, players, attacker)
}

export const decideRoundEnded = (state: MatchState, { map: number, reason, round: ofRound, winner }: Payload<"RoundEnded">) => {
  const play = inPlay(state, number)
  if (isRejection(play)) return play
  const round = inRound(play, ofRound)
  if (isRejection(round)) return round
  const isSnd = play.map.mode === "snd"
  if (reason === "zones" ? isSnd : !isSnd && (reason === "detonation" || reason === "defuse")) {
    return reject("wrong_mode", `a round of ${play.map.mode} does not end by ${reason}`)
  }
  const isAttackers = winner === attackerOf(play.current)
  switch (reason) {
    case "detonation":
      if (round.bomb?.status !== "detonated") return reject("no_bomb", "the bomb has not detonated; send BombDetonated first")
      return isAttackers ? undefined : reject("wrong_winner", "attackers win by a detonation")
    case "defuse":
      if (round.bomb?.status !== "defused") return reject("no_bomb", "the bomb is not defused; send BombDefused first")
      return isAttackers ? reject("wrong_winner", "defenders win by a defuse") : undefined
    case "zones":
      if (round.zones[0] + round.zones[1] < 2 * ZONE_TICKS) return reject("wrong_winner", "both zones must be captured")
      return isAttackers ? undefined : reject("wrong_winner", "attackers win by capturing both zones")
    case "time":
      return isAttackers ? reject("wrong_winner", "defenders win when the time runs out") : undefined
    case "elimination":
      return undefined
  }
}

export const decideStatistics = (state: MatchState, { map: number, players }: Payload<"StatisticsReported">): Rejection | undefined => {
  const play = onMap(state, number)
  return isRejection(play) ? play : decideLines(state, play.map.mode, players)
}
