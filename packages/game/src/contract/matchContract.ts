/** Parts of a contract that are the same in every game whose facts are sent in the format of FEED. */
import type { LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { MatchId } from "@matchpoint/domain/ids"
import { Result, Schema } from "effect"
import { internalTypes } from "../rules/feedEnvelope.ts"
import type { LiveDocument } from "./liveDocument.ts"

const isMatchId = Schema.is(MatchId)

interface MatchDocument extends JsonObject {
  readonly status: string
  readonly source: string
}

export interface MatchContractOptions<Full, Document extends JsonObject, Event extends GameEvent, Encoded>
  extends Pick<LiveContract<Full, Document>, "game" | "isAtOrPast"> {
  readonly document: LiveDocument<Full, Document>
  readonly event: Schema.Codec<Event, Encoded>
  /** Summary for lists. */
  readonly rowOf: (match: Full) => JsonObject
}

/** Message format v1 needs no values beyond the v2 document, and its text is not cached. */
export const matchContract = <Full, Document extends MatchDocument, Event extends GameEvent, Encoded>({
  document: { fullOf, layout },
  event,
  rowOf,
  ...rest
}: MatchContractOptions<Full, Document, Event, Encoded>): LiveContract<Full, Document> => ({
  ...rest,
  layout,
  isMatchId: (text): text is MatchId => text.startsWith(`${rest.game}-match-`) && isMatchId(text),
  statusOf: ({ status }) => status,
  sourceOf: ({ source }) => source,
  extrasAfter: () => ({}),
  rowOf: (state) => rowOf(fullOf(state)),
  readFact: factReader(event),
  fullOf,
  fullText: (state) => JSON.stringify(fullOf(state)),
})

/** Other services may send the facts that feeds report, and may register matches. */
const factReader = <Event extends GameEvent, Encoded>(event: Schema.Codec<Event, Encoded>): LiveContract["readFact"] => {
  const ExternalFact = event.check(
    Schema.makeFilter(({ type }) =>
      type !== "MatchCreated" && internalTypes.has(type) ? `${type} cannot be sent: the server creates facts of this type` : undefined,
    ),
  )
  const decode = Schema.decodeUnknownResult(ExternalFact, strictBody)
  return (fact) =>
    Result.mapBoth(decode(fact), {
      onSuccess: (event) => ({ event, creates: event.type === "MatchCreated" }),
      onFailure: String,
    })
}
