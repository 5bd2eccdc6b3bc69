// Owns the one match that all clients follow.
import { matchId } from "@matchpoint/cs2/rules/ids"

export const followedMatch = matchId(1)
