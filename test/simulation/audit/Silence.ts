/** Checks that a match counts as silent only after its feeds have reported nothing for as long as the settings say. */
import type { MatchId } from "@matchpoint/domain/ids"
import type { Findings } from "./Findings.ts"
import { nameOf } from "./Hearing.ts"
import type { Version } from "./History.ts"

/** `staleAfter` of the match service, less what a report may take through slow links. */
const STALE_AFTER_MS = 110_000

/** Feeds report this often something that changes a match, and an owner is replaced in less. */
const GOES_ON_WITHIN_MS = 180_000

export class Silence {
  readonly #findings: Findings
  /** Time of the last report in FEED, epoch ms. */
  readonly #reportedAt = new Map<MatchId, number>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** The log was replaced at `at`, epoch ms. Reports from before do not count, and neither do ends. */
  replaced(at: number): void {
    for (const [matchId, reportedAt] of this.#reportedAt) if (reportedAt <= at) this.#reportedAt.delete(matchId)
  }

  /**
   * Called at the end with the last version of each match: a match that has not ended has changed about as late as its feeds
   * have reported.
   */
  settle(matchId: MatchId, last: Version | undefined): void {
    const reportedAt = this.#reportedAt.get(matchId)
    if (reportedAt === undefined || last?.document["status"] === "completed") return
    // Without its checkpoint and its facts, a match begins again from the register, and waits for the next map.
    if (last !== undefined && last.epoch > 1 && last.document["status"] === "upcoming") return
    const behindMs = reportedAt - (last?.records[0]?.at ?? 0)
    if (behindMs > GOES_ON_WITHIN_MS)
      this.#findings.add("match", `${matchId} has stopped at ${last === undefined ? "nothing" : nameOf(last)}`)
  }

  reported(matchId: MatchId, at: number): void {
    this.#reportedAt.set(matchId, at)
  }

  /** `version` was published at `at`, epoch ms. */
  published(version: Version, at: number): void {
    const { before, document, matchId } = version
    const silentMs = at - (this.#reportedAt.get(matchId) ?? Number.NEGATIVE_INFINITY)
    if (document["status"] === "cancelled" && before?.document["status"] !== "cancelled")
      this.#findings.add("watchdog", `${nameOf(version)} is cancelled ${silentMs} ms after a report`)
    const begins = document["feed"] !== undefined && before?.document["feed"] === undefined
    if (begins && silentMs < STALE_AFTER_MS)
      this.#findings.add("watchdog", `${nameOf(version)} is ${JSON.stringify(document["feed"])} ${silentMs} ms after a report`)
  }
}
