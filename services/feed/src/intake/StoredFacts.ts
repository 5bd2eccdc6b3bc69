/**
 * The facts that a session has stored most recently. If the answer to a request was lost, the sender repeats exactly
 * these. A duplicate with other content hints at a faulty sender.
 */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import { type FactProblem, type FeedSubmission, isFacts, type SubmissionResult } from "@matchpoint/game/feed/GameFeed"

/** Remembered facts per match. Each takes about 100 bytes. */
const CAPACITY = 256

export class StoredFacts {
  /** Fingerprints by id and feed, the oldest first. */
  readonly #fingerprints = new Map<string, string>()

  note(submission: FeedSubmission, { problems, repeats }: SubmissionResult): void {
    if (!isFacts(submission)) return
    const refused = new Set([...problems, ...repeats].map(({ line }) => line))
    for (const [index, fact] of submission.facts.entries()) {
      if (!refused.has(index + 1)) this.#fingerprints.set(keyOf(fact), fingerprint(JSON.stringify(fact)))
    }
    for (const oldest of this.#fingerprints.keys()) {
      if (this.#fingerprints.size <= CAPACITY) break
      this.#fingerprints.delete(oldest)
    }
  }

  /** True if the repeat has exactly the content of the stored fact. */
  holds(submission: FeedSubmission, { line = 0, raw }: FactProblem): boolean {
    const fact = isFacts(submission) ? submission.facts[line - 1] : undefined
    return fact !== undefined && this.#fingerprints.get(keyOf(fact)) === fingerprint(raw)
  }
}

const keyOf = ({ id, source = "main" }: Fact): string => `${source} ${id}`
