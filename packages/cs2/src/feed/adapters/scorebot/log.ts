/**
 * Converts the scorebot's log to facts: attempts to play a map (a restarted map has several), the rounds of each
 * attempt, and the events in each round.
 */
import type { WinType } from "../../../rules/live/feedEvents.ts"
import { onStartingSides, otherTeam, type TeamIndex } from "../../../rules/live/rules.ts"
import { currentMap, type GameMap, type Player } from "../../../rules/live/state.ts"
import type { Derivation, FactBody } from "../Derivation.ts"
import { mapNameOf } from "../text.ts"
import { weaponOfGame } from "../weapons.ts"
import { type LogEntry, type ScorebotKill, type ScorebotRoundEnd, sideOf } from "./messages.ts"
import { type Attempt, attemptsIn, endOf, type RoundEntries } from "./roundEntries.ts"

/**
 * Assumed milliseconds between two entries of a backlog, which have no times. Maps get a realistic length, and deaths
 * are not counted as traded (avenged within seconds) without evidence.
 */
export const BACKLOG_STEP_MS = 5_000

/** A message with more entries is a backlog: so many cannot all be new since the last message. */
const LONGEST_NEWS = 12

export const readLog = (derivation: Derivation, at: number, newestFirst: ReadonlyArray<LogEntry>) => {
  const step = newestFirst.length > LONGEST_NEWS ? BACKLOG_STEP_MS : 0
  const times = new Map(newestFirst.map((entry, age) => [entry, at - age * step]))
  const reader: LogPass = { derivation, timeOf: (entry) => (entry === null ? at : (times.get(entry) ?? at)) }
  const attempts = attemptsIn(newestFirst)
  for (const [index, attempt] of attempts.entries()) {
    if (!enterMap(reader, attempt, attempts.slice(index + 1))) {
      derivation.ignore()
      continue
    }
    for (const roundEntries of attempt.rounds) readRound(reader, roundEntries)
  }
}

interface LogPass {
  readonly derivation: Derivation
  readonly timeOf: (entry: LogEntry | null) => number
}

/**
 * Prefix of the ids of all facts of a map. A restarted map gets a new one, so that its facts are not mistaken for those
 * of the previous attempt.
 */
export const attemptTag = (map: GameMap): string => `sb:m${map.number}-${map.startedAt.toString(36)}`

const liveMap = ({ state }: Derivation): GameMap | undefined => {
  const map = currentMap(state)
  return map?.status === "live" ? map : undefined
}

const addFact = ({ derivation, timeOf }: LogPass, entry: LogEntry | null, id: string, body: FactBody): boolean =>
  derivation.addFact({ id, at: timeOf(entry), raw: JSON.stringify(entry) }, body)

/** Makes the map of an attempt current. Returns false if the map is over or the attempt cannot be assigned to a map. */
const enterMap = (pass: LogPass, attempt: Attempt, later: ReadonlyArray<Attempt>): boolean => {
  const { derivation } = pass
  const played = (name: string) => derivation.state.maps.findLast((map) => map.name === mapNameOf(name))
  // The log starts in the middle of a map. If it also contains a later map that is already known, the rest of this map
  // is known as well, and the attempt is skipped.
  if (attempt.map === null) return liveMap(derivation) !== undefined && !later.some(({ map }) => map !== null && played(map) !== undefined)
  const known = played(attempt.map)
  if (known === undefined) {
    const mapNumber = derivation.state.maps.length + 1
    const ctTeamId = derivation.state.teams[firstCtTeam(derivation, attempt) ?? 0].id
    const payload = { mapNumber, mapName: mapNameOf(attempt.map), ctTeamId }
    return addFact(pass, attempt.start, `sb:m${mapNumber}:map`, { type: "MapStarted", payload })
  }
  if (known !== currentMap(derivation.state) || known.status !== "live") return false
  return (
    isKnownAttempt(derivation, known, attempt) ||
    restart(pass, attempt.start, known, firstCtTeam(derivation, attempt) ?? known.startingCtTeam)
  )
}

const restart = (pass: LogPass, entry: LogEntry | null, map: GameMap, ctTeam: TeamIndex): boolean => {
  const payload = { mapNumber: map.number, ctTeamId: pass.derivation.state.teams[ctTeam].id }
  return addFact(pass, entry, `${attemptTag(map)}:restart`, { type: "MapRestarted", payload })
}

/** The attempt is the current one, sent again, and not a new attempt at the same map. */
const isKnownAttempt = ({ state }: Derivation, map: GameMap, { rounds }: Attempt): boolean => {
  if (map.rounds.length > 0) return rounds.some((roundEntries) => endOf(roundEntries) !== undefined)
  const victims = rounds.flatMap(({ entries }) => entries.flatMap((entry) => ("Kill" in entry ? [entry.Kill.victimName] : [])))
  // In practice mode, a player can die several times, but only first deaths were added to the match.
  const firsts = [...new Set(victims)]
  const known = (state.round?.duels ?? []).map(({ victimId }) => state.players.find(({ id }) => id === victimId)?.nickname)
  return known.every((victim, index) => firsts[index] === victim)
}

const readRound = (pass: LogPass, roundEntries: RoundEntries) => {
  const { derivation } = pass
  const round = derivation.state.round
  const next = round === null ? 1 : roundEntries.start !== null && round.phase === "over" ? round.number + 1 : round.number
  const number = roundEntries.round ?? next
  if (roundEntries.start !== null) startRound(pass, roundEntries, number)
  let over = false
  for (const entry of roundEntries.entries) {
    // A bomb plant after the end of the round has no effect.
    if (!(over && "BombPlanted" in entry)) readEntry(pass, entry, number)
    over ||= "RoundEnd" in entry
  }
}

const startRound = (pass: LogPass, roundEntries: RoundEntries, number: number) => {
  const { derivation } = pass
  const map = liveMap(derivation)
  if (map === undefined || number <= (derivation.state.round?.number ?? 0)) return derivation.ignore()
  const byRules = onStartingSides(number, derivation.state.rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)
  const ctTeam = ctTeamIn(derivation, roundEntries) ?? byRules
  const where = { mapNumber: map.number, round: number }
  const payload = { ...where, ctTeamId: derivation.state.teams[ctTeam].id }
  const id = `${attemptTag(map)}:r${number}`
  addFact(pass, roundEntries.start, `${id}:start`, { type: "RoundStarted", payload })
  // RoundStart in the log marks the end of freeze time, not its start.
  addFact(pass, roundEntries.start, `${id}:live`, { type: "RoundLive", payload: where })
}

const readEntry = (pass: LogPass, entry: LogEntry, number: number) => {
  const { derivation } = pass
  if ("Kill" in entry) correctSides(pass, entry, entry.Kill, number)
  const map = currentMap(derivation.state)
  if (map === undefined) return derivation.ignore()
  const where = { mapNumber: map.number, round: number }
  const id = `${attemptTag(map)}:r${number}`
  const player = (name: string): Player | undefined => {
    const found = derivation.state.players.find(({ nickname }) => nickname === name)
    if (found === undefined) {
      derivation.problem({ code: "unknown_player", message: "the name has not appeared on a scoreboard", raw: JSON.stringify(entry) })
    }
    return found
  }
  if ("Kill" in entry) {
    const killer = player(entry.Kill.killerName)
    const victim = player(entry.Kill.victimName)
    if (killer === undefined || victim === undefined) return
    const death = { ...where, killerId: killer.id, victimId: victim.id, assisterId: null }
    const payload = { ...death, weapon: weaponOfGame(entry.Kill.weapon), headshot: entry.Kill.headShot }
    addFact(pass, entry, `${id}:kill:${victim.id}`, { type: "PlayerKilled", payload })
  } else if ("Suicide" in entry) {
    const victim = player(entry.Suicide.playerName)
    if (victim === undefined) return
    // Whether this suicide subtracts a kill is unknown. The next scoreboard will correct the kill count.
    const payload = { ...where, killerId: null, victimId: victim.id, assisterId: null, weapon: "suicide", headshot: false }
    addFact(pass, entry, `${id}:kill:${victim.id}`, { type: "PlayerKilled", payload })
  } else if ("BombPlanted" in entry) {
    const playerId = player(entry.BombPlanted.playerName)?.id ?? null
    addFact(pass, entry, `${id}:plant`, { type: "BombPlanted", payload: { ...where, playerId, site: null } })
  } else if ("BombDefused" in entry) {
    const playerId = player(entry.BombDefused.playerName)?.id ?? null
    addFact(pass, entry, `${id}:defuse`, { type: "BombDefused", payload: { ...where, playerId } })
  } else if ("RoundEnd" in entry) {
    readRoundEnd(pass, entry, entry.RoundEnd, id, where)
  } else {
    derivation.ignore()
  }
}

const winTypes: ReadonlyMap<string, WinType> = new Map([
  ["CTs_Win", "elimination"],
  ["Terrorists_Win", "elimination"],
  ["Target_Bombed", "bomb_exploded"],
  ["Bomb_Defused", "bomb_defused"],
  ["Target_Saved", "time_expired"],
] as const)

const readRoundEnd = (
  pass: LogPass,
  entry: LogEntry,
  end: ScorebotRoundEnd,
  id: string,
  where: { readonly mapNumber: number; readonly round: number },
) => {
  const winType = winTypes.get(end.winType) ?? "unknown"
  const { round } = pass.derivation.state
  const planted = round?.number === where.round && (round.bomb?.state === "planted" || round.bomb?.state === "defusing")
  if (winType === "bomb_exploded" && planted) addFact(pass, entry, `${id}:exploded`, { type: "BombExploded", payload: where })
  const winner = end.winner === "CT" ? "CT" : "T"
  const score = { ct: end.counterTerroristScore, t: end.terroristScore }
  addFact(pass, entry, `${id}:end`, { type: "RoundEnded", payload: { ...where, winner, winType, score } })
}

/** If no source reported the CT team at the start of the map, the sides were assumed. The first kills show the real ones. */
const correctSides = (pass: LogPass, entry: LogEntry, kill: ScorebotKill, number: number) => {
  const { derivation } = pass
  const map = liveMap(derivation)
  const { round } = derivation.state
  if (map === undefined || number !== 1 || round?.number !== 1 || round.phase === "over" || round.duels.length > 0) return
  const ctTeam = ctTeamBy(derivation, kill)
  if (ctTeam === undefined || ctTeam === round.ctTeam || !restart(pass, entry, map, ctTeam)) return
  startRound(pass, { start: entry, round: 1, entries: [entry] }, 1)
}

/** Team that starts the map as CT, by the first kills of the attempt. Undefined if they do not identify it. */
const firstCtTeam = (derivation: Derivation, { rounds }: Attempt): TeamIndex | undefined => {
  for (const roundEntries of rounds) {
    const ctTeam = ctTeamIn(derivation, roundEntries)
    if (ctTeam !== undefined) return onStartingSides(roundEntries.round ?? 1, derivation.state.rules) ? ctTeam : otherTeam(ctTeam)
  }
  return undefined
}

const ctTeamIn = (derivation: Derivation, { entries }: RoundEntries): TeamIndex | undefined => {
  for (const entry of entries) {
    const ctTeam = "Kill" in entry ? ctTeamBy(derivation, entry.Kill) : undefined
    if (ctTeam !== undefined) return ctTeam
  }
  return undefined
}

const ctTeamBy = ({ state }: Derivation, { killerName, killerSide }: ScorebotKill): TeamIndex | undefined => {
  const team = state.players.find(({ nickname }) => nickname === killerName)?.team
  const side = sideOf(killerSide)
  if (team === undefined || side === undefined) return undefined
  return side === "CT" ? team : otherTeam(team)
}
