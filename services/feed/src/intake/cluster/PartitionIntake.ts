/**
 * The intake of one partition, as an entity of the cluster. It is in the process that runs these matches, so the
 * requests of a match are processed one after the other, whichever process has received them.
 */
import { FeedReport, Receipt, Rejected } from "@matchpoint/contracts/http/feed/FactsApi"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { IntakeFailed, SessionBusy, UnknownMatch } from "../sessionErrors.ts"

const error = Schema.Union([UnknownMatch, SessionBusy, IntakeFailed])

/** `submission` is a `FeedSubmission` of the match's game. */
const Submit = Rpc.make("Submit", {
  payload: { matchId: MatchId, submission: Schema.Json },
  success: Receipt,
  error,
})

/** `GameState` of the match's game, and the reports on its feeds. */
const Look = Rpc.make("Look", {
  payload: { matchId: MatchId },
  success: Schema.Struct({ state: Schema.Json, feeds: Schema.Array(FeedReport), rejected: Schema.Array(Rejected) }),
  error,
})

export const PartitionIntake = Entity.make("PartitionIntake", [Submit, Look])
