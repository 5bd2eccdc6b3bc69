/**
 * Facts about maps, rounds and pauses. A server also plays warmups, knife rounds and aborted starts. After each of
 * these it prints "Match_Start" again. The line with the score contains the number of rounds that count, which is -1 as
 * long as no match has started.
 */
import { Schema } from "effect"
import type { WinType } from "../../../rules/live/feedEvents.ts"
import { MatchRules, onStartingSides, otherTeam, type Side, type TeamIndex } from "../../../rules/live/rules.ts"
import { clockSecondsAt, currentMap, playerOf } from "../../../rules/live/state.ts"
import { teamNamed } from "../../../rules/live/teamNames.ts"
import { correctedRounds, roundsWithoutHalftime } from "../regulation.ts"
import { otherMapNamed } from "../shownMap.ts"
import { unknownNames } from "../teams.ts"
import { mapNameOf } from "../text.ts"
import type { LogReader } from "./LogReader.ts"
import { NOT_IN_PLAY } from "./lineRules.ts"
import { type LogEvent, playersIn } from "./logLine.ts"
import type { NumberedLine } from "./unreadLines.ts"

type Of<T extends LogEvent["_tag"]> = Extract<LogEvent, { readonly _tag: T }>

/** Start of freeze time. The score follows some lines later, normally in the same post, in which it is searched for. */
export const readFreeze = (reader: LogReader, line: NumberedLine, following: Iterable<NumberedLine>) => {
  reader.flushReports(line)
  let restarted = false
  for (const { event } of following) {
    // Lines during freeze time name the side of each player at the start of the round.
    for (const player of playersIn(event)) reader.seat(player)
    if (event._tag === "World" && event.what === "Match_Start") restarted = true
    if (event._tag === "TeamNamed") readTeamName(reader, event)
    if (event._tag === "Status") return align(reader, line, event, restarted)
    if (event._tag === "FreezeStarted" || (event._tag === "World" && event.what === "Round_Start")) break
  }
  reader.memory = { ...reader.memory, freeze: { restarted: false } }
}

export const readTeamName = (reader: LogReader, { name, side }: Of<"TeamNamed">) => {
  reader.memory = { ...reader.memory, names: { ...reader.memory.names, [side]: name } }
}

/** A server without a match has other values, such as 0. */
export const readMaxRounds = (reader: LogReader, { rounds }: Of<"MaxRounds">) => {
  if (isMaxRounds(rounds) && rounds % 2 === 0) reader.memory = { ...reader.memory, maxRounds: rounds }
  reader.ignore("setting")
}

const isMaxRounds = Schema.is(MatchRules.fields.maxRounds)

/** The score, if it arrives in a later post than the start of its freeze time. */
export const readStatus = (reader: LogReader, line: NumberedLine, status: Of<"Status">) => {
  const { freeze } = reader.memory
  if (freeze === null) return reader.ignore("score_repeated")
  reader.memory = { ...reader.memory, freeze: null }
  align(reader, line, status, freeze.restarted)
}

export const readWorld = (reader: LogReader, line: NumberedLine, what: string) => {
  if (what === "Match_Start" && reader.memory.freeze !== null) {
    reader.memory = { ...reader.memory, freeze: { restarted: true } }
    return
  }
  const { map, state } = reader
  if (what !== "Round_Start") return reader.ignore("world_notice")
  if (map === undefined) return reader.ignore(NOT_IN_PLAY)
  reader.flushReports(line)
  // If the log lacks the start of freeze time, the round starts with this line.
  const round = state.round === null ? 1 : state.round.phase === "over" ? state.round.number + 1 : state.round.number
  reader.addFact(line, "live", { type: "RoundLive", payload: { mapNumber: map.number, round } })
}

const winTypes: ReadonlyMap<string, WinType> = new Map([
  ["CTs_Win", "elimination"],
  ["Terrorists_Win", "elimination"],
  ["Target_Bombed", "bomb_exploded"],
  ["Bomb_Defused", "bomb_defused"],
  ["Target_Saved", "time_expired"],
  ["CTs_Surrender", "surrender"],
  ["Terrorists_Surrender", "surrender"],
] as const)

export const readRoundWon = (reader: LogReader, line: NumberedLine, { ct, notice, side, t }: Of<"RoundWon">) => {
  reader.memory = { ...reader.memory, shown: { mapName: reader.memory.shown?.mapName ?? null, round: ct + t } }
  const played = ct + t - 1
  // The log lacks the start of this round, and possibly the end of the previous one.
  if (reader.state.round !== null && reader.state.round.number <= played) {
    startRound(reader, line, { ct: side === "CT" ? ct - 1 : ct, t: side === "T" ? t - 1 : t }, played + 1)
  }
  const { where } = reader
  if (where === undefined) return reader.ignore(NOT_IN_PLAY)
  reader.flushReports(line)
  const winType = winTypes.get(notice) ?? "unknown"
  const bomb = reader.state.round?.bomb
  // The log has no separate line for the defusal or explosion of the bomb, so that event is added here.
  if (bomb?.state === "planted" || bomb?.state === "defusing") {
    const playerId = bomb.state === "defusing" ? bomb.playerId : null
    if (winType === "bomb_defused") reader.addFact(line, "defused", { type: "BombDefused", payload: { ...where, playerId } })
    if (winType === "bomb_exploded") reader.addFact(line, "exploded", { type: "BombExploded", payload: where })
  }
  reader.addFact(line, "end", { type: "RoundEnded", payload: { ...where, winner: side, winType, score: { ct, t } } })
}

/** Adds an event only if the score alone did not end the map, for example after a surrender or with custom rules. */
export const readGameOver = (reader: LogReader, line: NumberedLine, { ct, t }: Of<"GameOver">) => {
  const { map, state } = reader
  if (map === undefined) return reader.ignore(NOT_IN_PLAY)
  const ctTeam = state.round?.ctTeam ?? map.startingCtTeam
  const winner = ct > t ? ctTeam : otherTeam(ctTeam)
  const surrendered = map.rounds.at(-1)?.winType === "surrender"
  reader.addFact(line, "over", {
    type: "MapEnded",
    payload: {
      mapNumber: map.number,
      winnerTeamId: ct === t ? null : state.teams[winner].id,
      reason: surrendered ? "surrender" : "score",
    },
  })
}

export const readPause = (reader: LogReader, line: NumberedLine, { begins, reason }: Of<"Pause">) => {
  const { map, state } = reader
  if (map === undefined) return reader.ignore(NOT_IN_PLAY)
  const mapNumber = map.number
  stopClock(reader, line, begins)
  if (!begins) return void reader.addFact(line, "resumed", { type: "TimeoutEnded", payload: { mapNumber } })
  const ctTeam = state.round?.ctTeam ?? map.startingCtTeam
  const caller = reason === "TimeOutCTs" ? ctTeam : reason === "TimeOutTs" ? otherTeam(ctTeam) : null
  const teamId = caller === null ? null : state.teams[caller].id
  const kind = caller === null ? "technical" : "tactical"
  reader.addFact(line, "paused", { type: "TimeoutCalled", payload: { mapNumber, teamId, kind } })
}

/** A pause stops the clock of freeze time. During a round it does not: it begins with the next freeze time. */
const stopClock = (reader: LogReader, line: NumberedLine, begins: boolean) => {
  const { where } = reader
  const { round } = reader.state
  if (where === undefined || round?.phase !== "freezetime") return
  const secondsLeft = begins ? clockSecondsAt(round, line.utc) : round.clockStoppedAt
  const isStopped = round.clockStoppedAt !== null
  if (secondsLeft === null || begins === isStopped) return
  reader.addFact(line, "clock", { type: "ClockReported", payload: { ...where, phase: begins ? "paused" : "freezetime", secondsLeft } })
}

/** Moves the match to the reported position: the freeze time of the round after `status.played` completed rounds. */
const align = (reader: LogReader, line: NumberedLine, status: Of<"Status">, restarted: boolean) => {
  const number = status.played + 1
  const mapName = mapNameOf(status.map)
  const other = otherMapNamed(reader.state, mapName, reader.at)
  const inPlay = currentMap(reader.state)
  reader.memory = { ...reader.memory, shown: { mapName, round: Math.max(0, number) } }
  const isStray = other?._tag === "Unrelated" && inPlay?.status === "live"
  if (isStray && reader.memory.strayMap !== mapName) {
    const message = `${mapName} is not the current map (${inPlay.name}), whose end may be missing; end this match, or register another one`
    reader.derivation.problem({ code: "wrong_map", message, raw: line.raw, line: line.number })
  }
  reader.memory = { ...reader.memory, freeze: null, strayMap: isStray ? mapName : null }
  if (isStray) return reader.ignore(NOT_IN_PLAY)
  noteUnknownNames(reader, line, Math.max(1, number))
  const { map } = reader
  // The log shows a later map if it lacks the start of the map or the end of the previous one.
  const later = other?._tag === "Later" ? other.mapNumber : undefined
  if (map === undefined || later !== undefined) {
    // After the last round of a map, the server prints its final score once more. A score therefore starts a new map
    // only if no rounds have been played.
    const isNew = currentMap(reader.state) === undefined || later !== undefined || status.played === 0
    if (status.played < 0 || !isNew) return reader.ignore(NOT_IN_PLAY)
    const ctTeam = ctTeamNow(reader, number)
    const corrected = correctedRounds(reader.state, reader.memory.maxRounds ?? undefined)
    const first = onStartingSides(number, { ...reader.state.rules, ...corrected }) ? ctTeam : otherTeam(ctTeam)
    const mapNumber = later ?? reader.state.maps.length + 1
    const payload = { mapNumber, mapName, ctTeamId: reader.state.teams[first].id, ...corrected }
    if (!reader.addFact(line, "map", { type: "MapStarted", payload })) return
  } else if (other?._tag === "Instead") {
    const ctTeamId = reader.state.teams[ctTeamNow(reader, Math.max(1, number))].id
    if (!reader.addFact(line, "instead", { type: "MapRestarted", payload: { mapNumber: map.number, ctTeamId, mapName } })) return
  } else if ((restarted || status.played < map.roundsPlayed) && hasBegun(reader)) {
    const ctTeamId = reader.state.teams[ctTeamNow(reader, Math.max(1, number))].id
    reader.addFact(line, "restart", { type: "MapRestarted", payload: { mapNumber: map.number, ctTeamId } })
  }
  if (status.played >= 0) startRound(reader, line, status, number)
}

const hasBegun = ({ state }: LogReader): boolean => state.round !== null && (state.round.number > 1 || state.round.phase !== "freezetime")

const startRound = (reader: LogReader, line: NumberedLine, status: Pick<Of<"Status">, "ct" | "t">, number: number) => {
  const { map } = reader
  if (map === undefined) return
  const ctTeam = ctTeamNow(reader, number)
  const { round } = reader.state
  if (round !== null && round.phase !== "over" && round.number < number) {
    // The log lacks the end of the round, but the score shows which side won it.
    const ahead = ctTeam === round.ctTeam ? { ct: status.ct, t: status.t } : { ct: status.t, t: status.ct }
    const winner: Side = ahead.ct > map.score[round.ctTeam] ? "CT" : "T"
    const payload = { mapNumber: map.number, round: round.number, winner, winType: "unknown" as const, score: ahead }
    reader.addFact(line, "lost-end", { type: "RoundEnded", payload })
  }
  if (reader.state.round?.number === number) restartClock(reader, line)
  else {
    const rounds = reader.memory.maxRounds ?? roundsWithoutHalftime(reader.state, number, ctTeam)
    const payload = {
      mapNumber: map.number,
      round: number,
      ctTeamId: reader.state.teams[ctTeam].id,
      ...correctedRounds(reader.state, rounds),
    }
    reader.addFact(line, "start", { type: "RoundStarted", payload })
  }
}

/** The freeze time of a round starts again if the server restarts the round, for instance after a knife round. */
const restartClock = (reader: LogReader, line: NumberedLine) => {
  const { where } = reader
  const { round, rules } = reader.state
  if (where === undefined || round?.phase !== "freezetime" || round.startedAt === null || round.startedAt >= line.utc) return
  reader.addFact(line, "clock", {
    type: "ClockReported",
    payload: { ...where, phase: "freezetime", secondsLeft: rules.freezeSeconds },
  })
}

/** Neither name is registered, and the players' sides do not identify the teams: their assignment to sides is a guess. */
const noteUnknownNames = (reader: LogReader, line: NumberedLine, number: number) => {
  const { memory, state } = reader
  if (votesOf(reader) !== 0) return
  const payload = unknownNames(state, { ct: memory.names.CT, t: memory.names.T }, ctTeamNow(reader, number))
  if (payload !== undefined) reader.addFact(line, "names", { type: "TeamNamesUnknown", payload })
}

/** Positive if most players of team 1 are on the CT side, negative if on the T side, 0 for a tie. */
const votesOf = ({ memory, state }: LogReader): number => {
  let votes = 0
  for (const [id, side] of memory.seats) {
    const player = playerOf(state, id)
    if (player !== undefined) votes += (player.team === 0) === (side === "CT") ? 1 : -1
  }
  return votes
}

/**
 * Team on the CT side, by the sides of the players. If those give a tie, by the team names, then by the match rules,
 * and finally by the order of registration.
 */
const ctTeamNow = (reader: LogReader, number: number): TeamIndex => {
  const { memory, state } = reader
  const votes = votesOf(reader)
  if (votes !== 0) return votes > 0 ? 0 : 1
  const ct = memory.names.CT === null ? undefined : teamNamed(state, memory.names.CT)
  if (ct !== undefined) return ct
  const t = memory.names.T === null ? undefined : teamNamed(state, memory.names.T)
  if (t !== undefined) return otherTeam(t)
  const { map } = reader
  if (map === undefined) return 0
  return onStartingSides(number, state.rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)
}
