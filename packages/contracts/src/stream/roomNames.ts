/** Rooms are sets of matches to which a client may subscribe. Does not depend on Effect at run time. */
import type { GameName, MatchId } from "@matchpoint/domain/ids"

/** All live matches. On a channel of one game, those of that game. */
export const ALL = "all"

/** All live matches of one game. */
export const allOf = (game: GameName): string => `${ALL}:${game}`

export const MATCH_ROOM = "match:"
export const REPLAY_ROOM = "replay:"

export const matchRoom = (matchId: MatchId): string => `${MATCH_ROOM}${matchId}`
export const replayRoom = (matchId: MatchId): string => `${REPLAY_ROOM}${matchId}`
