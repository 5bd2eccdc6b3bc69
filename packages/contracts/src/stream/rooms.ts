import { GameName, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { ALL, MATCH_ROOM, REPLAY_ROOM } from "./roomNames.ts"

export { ALL, allOf, matchRoom, replayRoom } from "./roomNames.ts"

const isMatchId = Schema.is(MatchId)
const isGameName = Schema.is(GameName)

export type Room =
  | { readonly _tag: "All"; readonly game?: GameName }
  | { readonly _tag: "Match"; readonly matchId: MatchId }
  | { readonly _tag: "Replay"; readonly matchId: MatchId }

/** Undefined if there is no such room. */
export const parseRoom = (room: string): Room | undefined => {
  if (room === ALL) return { _tag: "All" }
  const end = room.indexOf(":") + 1
  const id = room.slice(end)
  if (end === ALL.length + 1 && room.startsWith(ALL) && isGameName(id)) return { _tag: "All", game: id }
  if (!isMatchId(id)) return undefined
  const kind = room.slice(0, end)
  return kind === MATCH_ROOM ? { _tag: "Match", matchId: id } : kind === REPLAY_ROOM ? { _tag: "Replay", matchId: id } : undefined
}
