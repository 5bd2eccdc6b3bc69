/** Parts of a run of a match. All of them belong to one run, except `game`, `log`, `rejections` and `metrics`. */
import type { EventLog } from "@matchpoint/bus/EventLog"
import type { Rejections } from "@matchpoint/bus/Rejections"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveEncoder, LiveGame } from "@matchpoint/game/live/LiveGame"
import type { Context, Effect } from "effect"
import type { MatchOutbox } from "../webhooks/MatchOutbox.ts"
import type { CheckpointWriter } from "./CheckpointWriter.ts"
import type { FeedWatch } from "./FeedWatch.ts"
import type { ListEntry } from "./ListEntry.ts"
import type { MatchFeed } from "./MatchFeeds.ts"
import type { MatchPublisher } from "./MatchPublisher.ts"
import type { MatchRegister } from "./MatchRegister.ts"

export interface MatchParts {
  readonly game: LiveGame
  readonly matchId: MatchId
  readonly log: EventLog["Service"]
  readonly rejections: Rejections["Service"]
  readonly feed: MatchFeed
  /** Bounds of FEED, read after the checkpoint. */
  readonly bounds: Effect.Success<MatchFeed["bounds"]>
  /** Position of a checkpoint from before an upgrade of the log moved the facts up to it, otherwise 0. */
  readonly beforeMove: number
  readonly publisher: MatchPublisher
  readonly encoder: LiveEncoder
  readonly entry: ListEntry
  readonly checkpoints: CheckpointWriter
  readonly register: MatchRegister
  /** Undefined if the game has no webhook events. */
  readonly outbox: MatchOutbox | undefined
  readonly watch: FeedWatch
  /** Context whose registry has the metrics. */
  readonly metrics: Context.Context<never>
  /** Time for the stamps of events, in epoch milliseconds. */
  readonly stamp: () => number
}
