/**
 * Records of FEED that this process reads anyway, because it runs their matches. A session that knows them need not ask the
 * log about each request. The default knows nothing, so that sessions ask the log.
 *
 * The answer may lack records that are on their way to this process. So it is good enough to accept facts, which the actor
 * of the match checks again, but not to reject them.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Context } from "effect"

export class DeliveredFacts extends Context.Reference<{
  /**
   * Returns the sequence numbers of the match's records after `sequence` that this process has read, in order. Returns
   * undefined if it does not read all of them.
   */
  readonly after: (match: MatchId, sequence: number) => ReadonlyArray<number> | undefined
}>("@matchpoint/service-feed/intake/DeliveredFacts", { defaultValue: () => ({ after: () => undefined }) }) {}
