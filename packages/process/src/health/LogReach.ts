/**
 * Whether this process is cut off from the log, which answers others of the same role. Such a process should leave its
 * work to them. If the log answers none of them, the log is down, and leaving would not help.
 */
import { randomUUID } from "node:crypto"
import { EventLog } from "@matchpoint/bus/EventLog"
import { FEED } from "@matchpoint/contracts/bus/subjects"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { type LogReachReport, LogReachReports } from "@matchpoint/store/live/LogReachReports"
import { Clock, Context, Effect, Layer } from "effect"
import { repeatedly } from "../supervision/repeatedly.ts"

/** Interval of the requests to the log, and time for an answer. */
const ASK_EVERY_MS = 150
const ANSWERS_WITHIN_MS = 1_000
/** Interval at which processes exchange reports, and time for the database. */
const LOOK_EVERY_MS = 200
const DATABASE_WITHIN_MS = 400
/** Without an answer for this long, the process may be cut off. */
const CUT_OFF_AFTER_MS = 1_000
/**
 * Readings in a row in which the log had answered only others. After a restart of the log, one process is the first to
 * reach it; the others should have time to follow.
 */
const LOOKS = 2

export class LogReach extends Context.Service<LogReach, { readonly isCutOff: () => boolean }>()("@matchpoint/process/health/LogReach") {
  /** Asks the log and reports until the scope closes. */
  static readonly layer = (role: LogReachReport["role"]) => Layer.effect(LogReach, watch(role))
}

const watch = Effect.fnUntraced(function* (role: LogReachReport["role"]) {
  const log = yield* EventLog
  const reports = yield* LogReachReports
  const now = monotonicOf(yield* Clock.Clock)
  const processId = randomUUID()
  let answeredAt = now()
  let looks = 0
  const silentMs = () => now() - answeredAt

  const ask = log.bounds(FEED).pipe(
    Effect.timeout(ANSWERS_WITHIN_MS),
    Effect.andThen(
      Effect.sync(() => {
        answeredAt = now()
      }),
    ),
    // Readers of the log and the health checks report it as well, so `Debug` suffices.
    Effect.catch((error) => Effect.logDebug("the log does not answer", error)),
    Effect.andThen(Effect.sleep(ASK_EVERY_MS)),
  )
  yield* repeatedly("asking the log", ask)

  const look = Effect.gen(function* () {
    const othersReach = yield* reports.report({ processId, role, silentMs: silentMs() }).pipe(
      Effect.timeout(DATABASE_WITHIN_MS),
      // Without the database, nothing is known of the others.
      Effect.catch((error) => Effect.as(Effect.logDebug("the database does not tell whether others reach the log", error), false)),
    )
    looks = othersReach ? looks + 1 : 0
  })
  yield* repeatedly("reporting whether the log answers", Effect.andThen(look, Effect.sleep(LOOK_EVERY_MS)))

  return { isCutOff: () => silentMs() >= CUT_OFF_AFTER_MS && looks >= LOOKS }
})
