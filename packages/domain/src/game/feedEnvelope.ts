/**
 * Parts of feed events that games share: the fields around a payload, and the events that only the server creates. A game
 * defines the payloads of its own events.
 */
import { Schema } from "effect"
import { FactId, MatchId } from "../ids.ts"

const envelope = {
  id: FactId,
  matchId: MatchId,
  /** The feed (main or backup) that reported the event. */
  source: Schema.Literals(["main", "backup"]),
  /** Time at which the event happened, according to the clock of the feed. */
  observedAt: Schema.Natural,
  /** Time at which the server received the event, according to the server's clock. */
  receivedAt: Schema.Natural,
} as const

/** Returns the schema of the event with a type and a payload. */
export const eventOf = <T extends string, P extends Schema.Top>(type: T, payload: P) =>
  Schema.Struct({ ...envelope, type: Schema.Literal(type), payload })

/** Largest number of reports of the backup feed that a switch to it carries. */
export const MAX_STANDBY_REPORTS = 200

/** Types of the events that only the server creates. Senders must not send them. */
export const serverTypes: ReadonlyArray<string> = ["SourceChanged", "FeedSilent", "HistoryLost"]

/** Returns the schemas of the events that only the server creates. `report` is the schema of what feeds report. */
export const serverEvents = <Report extends Schema.Top>(report: Report) =>
  [
    /**
     * The match uses another feed. `basedOn` is the `seq` of the state for which the watchdog decided it. `reports` are
     * the events that the backup feed reported on standby and that follow that state.
     */
    eventOf(
      "SourceChanged",
      Schema.Struct({
        source: Schema.Literals(["live", "live_backup"]),
        basedOn: Schema.Natural,
        reports: Schema.Array(report).check(Schema.isMaxLength(MAX_STANDBY_REPORTS)),
      }),
    ),
    /** No feed has reported anything since `lastReportAt`. */
    eventOf(
      "FeedSilent",
      Schema.Struct({ status: Schema.Literals(["stale", "interrupted"]), lastReportAt: Schema.Natural, basedOn: Schema.Natural }),
    ),
    /** FEED or LIVE have lost records of the match. A new epoch begins. */
    eventOf("HistoryLost", Schema.Struct({ epoch: Schema.Natural })),
  ] as const
