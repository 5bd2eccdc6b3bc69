/** The rooms a client may follow, and how they are named. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

/** Every live match. */
export const ALL = "all"

const MATCH_ROOM = "match:"
const REPLAY_ROOM = "replay:"

export const matchRoom = (matchId: MatchId): string => `${MATCH_ROOM}${matchId}`
export const replayRoom = (matchId: MatchId): string => `${REPLAY_ROOM}${matchId}`

const isMatchId = Schema.is(MatchId)

export type Room =
  | { readonly _tag: "All" }
  | { readonly _tag: "Match"; readonly matchId: MatchId }
  | { readonly _tag: "Replay"; readonly matchId: MatchId }

/** Undefined: no such room. */
export const parseRoom = (room: string): Room | undefined => {
  if (room === ALL) return { _tag: "All" }
  const end = room.indexOf(":") + 1
  const id = room.slice(end)
  if (!isMatchId(id)) return undefined
  const kind = room.slice(0, end)
  return kind === MATCH_ROOM ? { _tag: "Match", matchId: id } : kind === REPLAY_ROOM ? { _tag: "Replay", matchId: id } : undefined
}
