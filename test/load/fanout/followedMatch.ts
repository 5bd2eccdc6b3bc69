// Owns the one match that everybody follows.
import { matchId } from "@matchpoint/domain/ids"

export const followedMatch = matchId(1)
