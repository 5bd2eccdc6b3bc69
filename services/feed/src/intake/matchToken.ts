/**
 * The feed token of a match, derived from the token of the settings and a random number of the match. So a repeated
 * registration returns the same token although only its hash is stored. The random number is not public, so the token
 * reveals nothing about that of the settings.
 */
import { createHmac } from "node:crypto"
import type { MatchId } from "@matchpoint/domain/ids"
import { FEED_TOKEN_PREFIX } from "@matchpoint/store/keys/FeedTokens"
import { Redacted } from "effect"

/** Same length as in tokens that operators create. */
const SECRET_BYTES = 24

export const matchToken = (settingsToken: Redacted.Redacted<string>, matchId: MatchId, salt: Uint8Array): Redacted.Redacted<string> => {
  const derived = createHmac("sha256", Redacted.value(settingsToken)).update(salt).update(matchId).digest()
  return Redacted.make(`${FEED_TOKEN_PREFIX}${derived.subarray(0, SECRET_BYTES).toString("base64url")}`, { label: "feed token" })
}
