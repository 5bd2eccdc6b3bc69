/** Names of the rooms that a client may follow. Needs no Effect at run time. */
import type { GameName, MatchId } from "@matchpoint/domain/ids"

/** Every live match; on a channel of one game, every live match of that game. */
export const ALL = "all"

/** Every live match of one game. */
export const allOf = (game: GameName): string => `${ALL}:${game}`

export const MATCH_ROOM = "match:"
export const REPLAY_ROOM = "replay:"

export const matchRoom = (matchId: MatchId): string => `${MATCH_ROOM}${matchId}`
export const replayRoom = (matchId: MatchId): string => `${REPLAY_ROOM}${matchId}`
