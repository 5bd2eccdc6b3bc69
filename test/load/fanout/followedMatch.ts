// Owns the one match that all clients follow.
import { matchId } from "@matchpoint/domain/cs2/ids"

export const followedMatch = matchId(1)
