/**
 * State that the server log adapter keeps between posts in addition to the match state: the offset between the game
 * server's clock and UTC, the lines that were read (to detect repetitions), and the content of some lines that is
 * needed to interpret later ones.
 */
import type { ReportedPosition } from "@matchpoint/game/feed/GameFeed"
import type { PlayerId } from "../../../rules/ids.ts"
import type { Side } from "../../../rules/live/rules.ts"
import { currentMap, type MatchState } from "../../../rules/live/state.ts"
import { type KnownLines, noLines, restoredLine } from "./KnownLines.ts"

export interface LogMemory {
  /** Milliseconds from the time in the log to UTC, or `null` before the first line. */
  readonly offset: number | null
  /** Newest line since the clock in the log last went back, by that clock. */
  readonly newest: number
  readonly known: KnownLines
  /**
   * Set while every line of every post has been sent before. Times of this process's clock; `reportedAt` is `null`
   * until this was reported as a problem.
   */
  readonly repeating: { readonly since: number; readonly reportedAt: number | null } | null
  /** Last known side of each player. */
  readonly seats: ReadonlyMap<PlayerId, Side>
  /** Last reported team names. */
  readonly names: { readonly CT: string | null; readonly T: string | null }
  /** Regulation rounds of the server, or `null` if the log has not printed them. */
  readonly maxRounds: number | null
  /** Set from the start of freeze time until the line with the score. `restarted`: "Match_Start" was printed since. */
  readonly freeze: { readonly restarted: boolean } | null
  /** Map in the log if it does not belong to this match. Lines about it are ignored. */
  readonly strayMap: string | null
  /** According to the log, or `null` if it has not reported them yet. */
  readonly shown: ReportedPosition | null
  /** Fields of a `round_stats` block whose end has not arrived yet. */
  readonly stats: { readonly fields: ReadonlyMap<string, string> } | null
  /**
   * Real cause of a death that the log is about to print as "committed suicide", within a second. `bomb`: the bomb
   * killed the player. `leaving`: the game killed the player for changing sides. `null` if no such line is expected.
   */
  readonly fate: { readonly playerId: PlayerId; readonly kind: "bomb" | "leaving"; readonly at: number } | null
}

export const emptyMemory = (state: MatchState): LogMemory => ({
  offset: null,
  newest: 0,
  known: noLines,
  repeating: null,
  seats: seatsOf(state),
  names: { CT: null, T: null },
  maxRounds: null,
  freeze: null,
  strayMap: null,
  shown: null,
  stats: null,
  fate: null,
})

/** Sides of the players by the match state. */
const seatsOf = (state: MatchState): LogMemory["seats"] => {
  const ctTeam = state.round?.ctTeam ?? currentMap(state)?.startingCtTeam
  if (ctTeam === undefined) return new Map()
  return new Map(state.players.map((player) => [player.id, player.team === ctTeam ? "CT" : "T"]))
}

/** Starts with the line's time and fingerprint, so that both can be restored from FEED after a restart. */
export const logFactId = (at: number, fingerprint: string, kind: string): string => `log:${at.toString(36)}:${fingerprint}:${kind}`

const ownId = /^log:([0-9a-z]+):([0-9a-z]+):/

/** Restores the memory after a restart. Call this for each earlier event of this adapter, in order. */
export const recallLine = (memory: LogMemory, event: { readonly id: string; readonly observedAt: number }): LogMemory => {
  const match = ownId.exec(event.id)
  if (match === null) return memory
  const at = Number.parseInt(match[1] ?? "", 36)
  const offset = event.observedAt - at
  // If the offset has changed, so had the server's clock, and older lines were read after newer ones.
  const newest = offset === memory.offset ? Math.max(memory.newest, at) : at
  return { ...memory, offset, newest, known: restoredLine(memory.known, { mark: match[2] ?? "", at }) }
}
