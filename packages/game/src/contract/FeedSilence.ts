/** The silence of all feeds of a live match, in the documents of the games that are made of `matchContract`. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"

export const FeedSilence = Schema.NullOr(
  Schema.Struct({ status: Schema.Literals(["stale", "interrupted"]), since: Timestamp }).annotate({ identifier: "FeedSilence" }),
).annotate({ description: "Set while no feed reports anything. `since` is the time of the last report" })
