/** Parts of facts that games share: the fields around a payload, and the events that only the server creates. */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { FactId, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"

const envelope = {
  id: FactId,
  matchId: MatchId,
  source: Schema.Literals(["main", "backup"]),
  /** Time by the clock of the feed. */
  observedAt: Schema.Natural,
  /** Time by the clock of the server. */
  receivedAt: Schema.Natural,
} as const

export const eventOf = <T extends string, P extends Schema.Top>(type: T, payload: P) =>
  Schema.Struct({ ...envelope, type: Schema.Literal(type), payload })

type PayloadSchemas = Readonly<Record<string, Schema.Top>>

type ReportSchema<Payloads extends PayloadSchemas> = {
  readonly [T in keyof Payloads & string]: ReturnType<typeof eventOf<T, Payloads[T]>>
}[keyof Payloads & string]

/** Schema of every event that the feeds of a game report. `payloads` has the payload of each type. */
export const reportedEvents = <const Payloads extends PayloadSchemas>(payloads: Payloads) =>
  Schema.Union(Object.entries(payloads).map(([type, payload]) => eventOf(type, payload) as unknown as ReportSchema<Payloads>))

/** Reports of the backup feed that a switch to it carries. */
export const MAX_STANDBY_REPORTS = 200

const serverTypes: ReadonlySet<string> = new Set(["SourceChanged", "FeedSilent", "HistoryLost"])

/** Types that senders must not send: a registration creates `MatchCreated`, and the server the others. */
export const internalTypes: ReadonlySet<string> = new Set(["MatchCreated", ...serverTypes])

interface EventOf<Type extends string, Payload> extends GameEvent {
  readonly type: Type
  readonly payload: Payload
}

/** An event that only the server creates, in a game whose feeds report `Report`. */
export type ServerEvent<Report> =
  | EventOf<"SourceChanged", { readonly source: "live" | "live_backup"; readonly basedOn: number; readonly reports: ReadonlyArray<Report> }>
  | EventOf<"FeedSilent", { readonly status: "stale" | "interrupted"; readonly lastReportAt: number; readonly basedOn: number }>
  | EventOf<"HistoryLost", { readonly epoch: number }>

export const isReport = <Report extends GameEvent>(event: Report | ServerEvent<Report>): event is Report => !serverTypes.has(event.type)

/** The `seq` of the state for which the watchdog decided the event. It is rejected if the match has changed since. */
export const basedOn = Schema.optionalKey(Schema.Natural)

/** Returns true if the watchdog has decided the event. Such an event does not prove that a feed works. */
export const isDecision = ({ payload }: Pick<GameEvent, "payload">): boolean =>
  typeof payload === "object" && payload !== null && "basedOn" in payload

/** Schemas of the events that only the server creates. `report` is the schema of what feeds report. */
export const serverEvents = <Report extends Schema.Top>(report: Report) =>
  [
    /**
     * The match uses another feed. `basedOn` is the `seq` of the state for which the watchdog decided it. `reports` are
     * those of the backup feed on standby that follow that state.
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
