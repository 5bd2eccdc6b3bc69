/**
 * Merges the lists of kills, damage and rounds in an analyzed demo into one timeline. Within a round, entries are
 * ordered by tick. At the same tick, damage comes before the death that it caused, and both before the end of the
 * round. Events after the end of a round belong to that round, as in the file.
 */
import type { AnalyzerDamage, AnalyzerEconomy, AnalyzerKill, AnalyzerMatch, AnalyzerRound } from "./AnalyzerMatch.ts"

export type Entry = { readonly tick: number; readonly round: number; readonly at: number } & (
  | { readonly _tag: "MapStarted"; readonly mapName: string; readonly first: AnalyzerRound }
  | { readonly _tag: "RoundStarted"; readonly of: AnalyzerRound; readonly economies: ReadonlyArray<AnalyzerEconomy> }
  | { readonly _tag: "RoundLive"; readonly economies: ReadonlyArray<AnalyzerEconomy> }
  /** A shotgun can hit the same player several times at the same tick. `copy` distinguishes these hits. */
  | { readonly _tag: "Damage"; readonly of: AnalyzerDamage; readonly copy: number }
  | { readonly _tag: "Kill"; readonly of: AnalyzerKill }
  | { readonly _tag: "Planted"; readonly steamId: string; readonly site: string }
  | { readonly _tag: "DefuseStarted"; readonly steamId: string }
  | { readonly _tag: "Defused"; readonly steamId: string }
  | { readonly _tag: "Exploded" }
  | { readonly _tag: "RoundEnded"; readonly of: AnalyzerRound }
  | { readonly _tag: "MapOver" }
)

/** Order at the same tick of the same round. */
const ranks: { readonly [T in Entry["_tag"]]: number } = {
  MapStarted: 0,
  RoundStarted: 1,
  RoundLive: 2,
  Damage: 3,
  Planted: 4,
  DefuseStarted: 5,
  Defused: 6,
  Exploded: 6,
  Kill: 7,
  RoundEnded: 8,
  MapOver: 9,
}

type Untimed = Entry extends infer E ? (E extends Entry ? Omit<E, "at"> : never) : never

export const timelineOf = (match: AnalyzerMatch): ReadonlyArray<Entry> => {
  const base = startOf(match)
  const [first] = match.rounds
  const last = match.rounds.at(-1) ?? first
  const copies = new Map<string, number>()
  const untimed: Array<Untimed> = [{ _tag: "MapStarted", tick: opening, round: first.number, mapName: match.mapName, first }]
  for (const round of match.rounds) {
    const economies = match.playerEconomies.filter((economy) => economy.roundNumber === round.number)
    untimed.push({ _tag: "RoundStarted", tick: opening, round: round.number, of: round, economies })
    untimed.push({ _tag: "RoundLive", tick: round.freezeTimeEndTick, round: round.number, economies })
    untimed.push({ _tag: "RoundEnded", tick: round.endTick, round: round.number, of: round })
  }
  for (const of of match.damages) {
    const key = `${of.tick}:${of.attackerSteamId}:${of.victimSteamId}:${of.victimNewHealth}:${of.weaponName}`
    const copy = copies.get(key) ?? 0
    copies.set(key, copy + 1)
    untimed.push({ _tag: "Damage", tick: of.tick, round: of.roundNumber, of, copy })
  }
  for (const of of match.kills) untimed.push({ _tag: "Kill", tick: of.tick, round: of.roundNumber, of })
  for (const { tick, roundNumber: round, planterSteamId: steamId, site } of match.bombsPlanted) {
    untimed.push({ _tag: "Planted", tick, round, steamId, site })
  }
  for (const { tick, roundNumber: round, defuserSteamId: steamId } of match.bombsDefuseStart) {
    untimed.push({ _tag: "DefuseStarted", tick, round, steamId })
  }
  for (const { tick, roundNumber: round, defuserSteamId: steamId } of match.bombsDefused) {
    untimed.push({ _tag: "Defused", tick, round, steamId })
  }
  for (const { tick, roundNumber: round } of match.bombsExploded) untimed.push({ _tag: "Exploded", tick, round })
  untimed.push({ _tag: "MapOver", tick: closing, round: last.number })
  untimed.sort((a, b) => a.round - b.round || a.tick - b.tick || ranks[a._tag] - ranks[b._tag])
  return withTimes(untimed, match, base)
}

/** Sorts before all ticks of a round. */
const opening = Number.NEGATIVE_INFINITY
/** Sorts after all ticks of a round. */
const closing = Number.POSITIVE_INFINITY

const withTimes = (entries: ReadonlyArray<Untimed>, match: AnalyzerMatch, base: number): ReadonlyArray<Entry> => {
  const starts = new Map(match.rounds.map((round) => [round.number, round.startTick]))
  let now = base
  return entries.map((entry) => {
    const tick = entry.tick === opening ? (starts.get(entry.round) ?? 0) : entry.tick
    // An event after a round may have a later tick than the start of the next round, but times must not decrease.
    if (tick !== closing) now = Math.max(now, base + Math.round((tick * 1000) / match.tickrate))
    return { ...entry, at: now }
  })
}

const startOf = (match: AnalyzerMatch): number => {
  const date = Date.parse(match.date)
  return Number.isNaN(date) ? 0 : Math.max(0, date)
}
