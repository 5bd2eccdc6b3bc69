// Owns the one match that everybody follows.
import { matchId } from "@matchpoint/domain/cs2/ids"

export const followedMatch = matchId(1)
