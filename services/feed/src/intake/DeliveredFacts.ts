/**
 * Records of FEED that this process reads anyway, because it runs their matches. A session that knows them need not ask
 * the log about each request. By default, nothing is known.
 *
 * Records may still be on their way to this process. So the answer is good enough to accept facts, which the actor of
 * the match checks again, but not to reject them.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Context } from "effect"

export class DeliveredFacts extends Context.Reference<{
  /** Sequence numbers of the match's records after `sequence`, in order. Undefined if this process does not read all of them. */
  readonly after: (match: MatchId, sequence: number) => ReadonlyArray<number> | undefined
}>("@matchpoint/service-feed/intake/DeliveredFacts", { defaultValue: () => ({ after: () => undefined }) }) {}
