/**
 * What the log adapter keeps between posts beside the match itself: how the server's clock stands to ours, which lines of the
 * newest moment have been read (a post may be sent again), and what a line said that only a later line makes use of.
 */

import type { PlayerId } from "@matchpoint/domain/cs2/ids"
import type { Side } from "@matchpoint/domain/cs2/live/rules"
import { currentMap, type MatchState } from "@matchpoint/domain/cs2/live/state"
import type { ShownRound } from "../../../GameFeed.ts"

export interface LogMemory {
  /** Add it to the log's time to get UTC; null before the first line. */
  readonly offset: number | null
  /** The log's own time of the newest line that was read. */
  readonly newest: number
  /** Fingerprints of the lines of that moment. */
  readonly read: ReadonlySet<string>
  /** On which side everybody was last seen. */
  readonly seats: ReadonlyMap<PlayerId, Side>
  /** Team names as last told. */
  readonly names: { readonly CT: string | null; readonly T: string | null }
  /** Freeze time has begun and the line with the score is still to come. */
  readonly freeze: { readonly restarted: boolean } | null
  /** The map that the log shows and that is none of this match; null: the map of the match. Its lines tell nothing. */
  readonly strayMap: string | null
  /** Where the log says the match is; null: it has not said. */
  readonly shown: ShownRound | null
  /** The round_stats block being read. */
  readonly stats: { readonly fields: ReadonlyMap<string, string> } | null
  /** Why a "committed suicide" line of a player is none, if it follows within a second: the bomb, or leaving. */
  readonly fate: { readonly playerId: PlayerId; readonly kind: "bomb" | "leaving"; readonly at: number } | null
}

export const emptyMemory = (state: MatchState): LogMemory => ({
  offset: null,
  newest: 0,
  read: new Set(),
  seats: seatsOf(state),
  names: { CT: null, T: null },
  freeze: null,
  strayMap: null,
  shown: null,
  stats: null,
  fate: null,
})

/** Where the fold believes everybody stands. */
const seatsOf = (state: MatchState): LogMemory["seats"] => {
  const ctTeam = state.round?.ctTeam ?? currentMap(state)?.startingCtTeam
  if (ctTeam === undefined) return new Map()
  return new Map(state.players.map((player) => [player.id, player.team === ctTeam ? "CT" : "T"]))
}

/** Ids of facts begin with the log's time and the line's fingerprint, so that both can be read back from FEED. */
export const logFactId = (at: number, fingerprint: string, kind: string): string => `log:${at.toString(36)}:${fingerprint}:${kind}`

const ownId = /^log:([0-9a-z]+):([0-9a-z]+):/

/** Takes up a fact this adapter told before a restart. */
export const recallLine = (memory: LogMemory, event: { readonly id: string; readonly observedAt: number }): LogMemory => {
  const match = ownId.exec(event.id)
  if (match === null) return memory
  const at = Number.parseInt(match[1] ?? "", 36)
  const mark = match[2] ?? ""
  const offset = event.observedAt - at
  if (at < memory.newest) return { ...memory, offset }
  return { ...memory, offset, newest: at, read: at === memory.newest ? new Set([...memory.read, mark]) : new Set([mark]) }
}
