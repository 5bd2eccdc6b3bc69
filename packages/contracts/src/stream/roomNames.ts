/**
 * Names of the rooms (sets of matches) to which a client may subscribe. This module does not depend on Effect at run
 * time.
 */
import type { GameName, MatchId } from "@matchpoint/domain/ids"

/** Name of the room with all live matches. On a channel of one game, the room has only the matches of that game. */
export const ALL = "all"

/** Returns the name of the room with all live matches of one game. */
export const allOf = (game: GameName): string => `${ALL}:${game}`

export const MATCH_ROOM = "match:"
export const REPLAY_ROOM = "replay:"

export const matchRoom = (matchId: MatchId): string => `${MATCH_ROOM}${matchId}`
export const replayRoom = (matchId: MatchId): string => `${REPLAY_ROOM}${matchId}`
