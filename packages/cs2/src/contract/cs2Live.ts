/** The CS2 implementation of `LiveContract`, through which game-independent code processes live matches. */
import type { LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import { gameName } from "@matchpoint/domain/ids"
import { Result, Schema } from "effect"
import { MatchId } from "../rules/ids.ts"
import type { CompactMatch } from "./CompactMatch.ts"
import { ExternalFact, liveRowOf } from "./Cs2Rpcs.ts"
import { fullOf, fullText, layout } from "./fullOf.ts"
import type { LiveMatch } from "./LiveMatch.ts"

const decodeFact = Schema.decodeUnknownResult(ExternalFact, strictBody)
const isMatchId = Schema.is(MatchId)

export const cs2Live: LiveContract<LiveMatch, CompactMatch> = {
  game: gameName("cs2"),
  isMatchId: (text): text is MatchId => isMatchId(text),
  layout,
  statusOf: ({ status }) => status,
  sourceOf: ({ source }) => source,
  isAtOrPast: ({ currentGame, game }, map, round) => currentGame > map || (currentGame === map && (game?.round ?? 0) >= round),
  extrasAfter: (before, { event: _, ...extras }) => ({ last: before?.["last"] ?? null, ...extras }),
  rowOf: (state) => liveRowOf(fullOf(state)),
  readFact: (fact) =>
    Result.mapBoth(decodeFact(fact), {
      onSuccess: (event) => ({ event, creates: event.type === "MatchCreated" }),
      onFailure: String,
    }),
  fullOf,
  fullText,
}
