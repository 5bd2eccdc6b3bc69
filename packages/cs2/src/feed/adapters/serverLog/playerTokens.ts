/**
 * Finds players in a line of a server's log. The log writes a player as `"name<slot><account><side>"`, and a name may
 * contain anything: quotes, brackets, even what looks like another player. Where a player ends can only be decided by
 * what follows, so this module returns every possible end.
 */
import { type PlayerId, playerId } from "../../../rules/ids.ts"
import type { Side } from "../../../rules/live/rules.ts"

/** `id` is `null` for bots and for players without a Steam account. */
export interface LogPlayer {
  readonly name: string
  readonly id: PlayerId | null
  /** `null` for spectators and players who have not joined a side. */
  readonly side: Side | null
}

/** `end` is the position after the closing quote. */
export interface PlayerToken {
  readonly player: LogPlayer
  readonly end: number
}

/** Slot, account and side, as they close a player. */
const closing = /<\d{1,10}><(\[U:1:\d{1,10}\]|BOT|Console|STEAM[^<>"]{0,40}|<none>|)>(?:<(CT|TERRORIST|Unassigned|Spectator|Console|)>)?"/g

/** A name and a chat message together have room for fewer ends. */
const MOST_ENDS = 16

/** Possible players whose opening quote is at `start`, the shortest name first. */
export const playersAt = (text: string, start: number): ReadonlyArray<PlayerToken> => {
  if (text[start] !== '"') return []
  const tokens: Array<PlayerToken> = []
  // A name has at least one character.
  closing.lastIndex = start + 2
  for (let match = closing.exec(text); match !== null && tokens.length < MOST_ENDS; match = closing.exec(text)) {
    const player = { name: text.slice(start + 1, match.index), id: accountOf(match[1] ?? ""), side: sideOf(match[2]) }
    tokens.push({ player, end: closing.lastIndex })
  }
  return tokens
}

export const sideOf = (text: string | undefined): Side | null => (text === "CT" ? "CT" : text === "TERRORIST" ? "T" : null)

/** Steam account number: n for `[U:1:n]`, 2z + y for `STEAM_1:y:z`, `null` for other text, such as that of a bot. */
const accountOf = (text: string): PlayerId | null => {
  const modern = /^\[U:1:([1-9]\d{0,9})\]$/.exec(text)
  if (modern !== null) return playerId(Number(modern[1]))
  const older = /^STEAM_[0-9]:([01]):(\d{1,10})$/.exec(text)
  const account = older === null ? 0 : 2 * Number(older[2]) + Number(older[1])
  return account > 0 ? playerId(account) : null
}
