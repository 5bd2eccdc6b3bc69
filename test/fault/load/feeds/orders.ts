/** Questions to the process of the feeds, and its answers. */
import type { MatchId } from "@matchpoint/domain/ids"

export interface RegisterOrder {
  readonly kind: "register"
  /** Addresses of the feed intakes, without a trailing slash. A post that fails goes to the next one. */
  readonly intakes: ReadonlyArray<string>
  readonly token: string
  readonly seed: number
  readonly matches: number
  /** Facts that each match needs at least. */
  readonly length: number
}

export type FeedsOrder =
  | RegisterOrder
  /** Starts to send, `rate` facts per second and match, or changes the rate. */
  | { readonly kind: "start"; readonly rate: number }
  /** Stops to offer new facts, and waits until all offered ones are acknowledged. */
  | { readonly kind: "finish"; readonly withinMs: number }
  | { readonly kind: "status" }

export interface Registered {
  /** In the order of their numbers in the seed, which count from 1. */
  readonly matchIds: ReadonlyArray<MatchId>
}

/** What the feed of a match has sent. */
export interface FedMatch {
  readonly matchId: MatchId
  /** Number of the match in the seed. */
  readonly number: number
  /** Facts that the intake has acknowledged, from the first one on. */
  readonly acknowledged: number
  /** True if these are all facts of the match. */
  readonly isOver: boolean
  /** Facts of posts that were never acknowledged. The intake may or may not have stored them. */
  readonly unanswered: number
  /** Problems in receipts, which are bugs: every fact is possible when it is sent. */
  readonly problems: ReadonlyArray<string>
  /** Longest time in milliseconds from the first attempt to post facts to the receipt. */
  readonly longestPostMs: number
  /** Time at which each fact was observed, in epoch milliseconds. */
  readonly observedAt: ReadonlyArray<number>
}

export interface Finished {
  readonly matches: ReadonlyArray<FedMatch>
  readonly posts: number
  readonly retries: number
  /** Reasons of failed posts, with their number. */
  readonly failures: Readonly<Record<string, number>>
}

export interface FeedsStatus {
  readonly acknowledged: number
  readonly posts: number
  readonly retries: number
  /** CPU time of the process so far, in milliseconds. */
  readonly cpuMs: number
}
