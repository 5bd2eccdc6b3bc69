/**
 * Writes a live match to the archive when it is announced, starts, finishes a map or ends, by processing the changes
 * that are in the match register but not yet in the archive. After a crash, a change may be written twice; the second
 * write has no effect.
 *
 * The archive lags behind the live channels by the longest live data delay of any plan, measured by the database's
 * clock from the time when the match's row in the register changed, which is after the live channels received the
 * change. Therefore no list, count, search or statistic of the archive is ahead of the live channels of any plan. The
 * lag is the same for all callers, because a lag per caller would have to be part of every SQL statement. Callers with
 * a real-time plan can see the end of a match without it in the live section.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { matchesArchived } from "@matchpoint/game/live/archiveMetrics"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { runOrPark } from "@matchpoint/game/live/parking"
import { Duration, Effect, Layer, Metric, Stream } from "effect"
import { ArchiveWriter } from "../archive/ArchiveWriter.ts"
import { ArchiveBacklog, type DueMatch } from "../archive/upkeep/ArchiveBacklog.ts"
import type { LiveEvent } from "../contract/LiveEvent.ts"
import { matchId } from "../rules/ids.ts"
import type { MatchState } from "../rules/live/state.ts"
import { requestUpkeep } from "./ArchiveUpkeep.ts"
import { archivedMatch, archivedPlayers } from "./archivedMatch.ts"
import { cs2LiveGame } from "./cs2LiveGame.ts"

const AT_ONCE = 50

/**
 * Archives every due match once. A match that fails does not block the others and is tried again in the next pass.
 * After ended matches, requests the background jobs that update derived data; if the process dies before, their hourly
 * run makes up for it. `loggedFailures` are the matches whose failure has already been logged.
 */
export const archiveDue = Effect.fn("MatchArchiver.archiveDue")(function* (loggedFailures: Set<number> = new Set()) {
  const backlog = yield* ArchiveBacklog
  const { archiveAfter } = yield* MatchConfig
  const settled = Duration.fromInputUnsafe(archiveAfter)
  let after = 0
  let played = false
  while (true) {
    const due = yield* backlog.due({ settled, after, limit: AT_ONCE })
    yield* Effect.forEach(due, (row) => archiveOne(row, loggedFailures), { discard: true })
    played ||= due.some(({ status }) => status === "completed")
    const last = due.at(-1)
    if (last === undefined || due.length < AT_ONCE) break
    after = last.matchNumber
  }
  if (played) yield* requestUpkeep
})

const archiveOne = (row: DueMatch, loggedFailures: Set<number>) =>
  Effect.gen(function* () {
    const writer = yield* ArchiveWriter
    const id = matchId(row.matchNumber)
    const backlog = yield* ArchiveBacklog
    const checkpoints = yield* MatchCheckpoints
    const state = (yield* checkpoints.load(cs2LiveGame.rules, id))?.state
    const hasEnded = row.status === "completed" || row.status === "cancelled"
    const events = hasEnded && state !== undefined ? yield* eventsOf(state) : undefined
    const archiving = writer.match(archivedMatch(row, state, events)).pipe(Effect.andThen(writer.players(archivedPlayers(row, state))))
    // Last, so that after a crash the match is archived again. Otherwise, a crash could leave the match's parked write
    // (one that the database rejected) parked forever.
    if (yield* runOrPark(id, "archive", Effect.andThen(archiving, Metric.update(matchesArchived, 1)))) yield* backlog.markArchived(row)
    loggedFailures.delete(row.matchNumber)
  }).pipe(
    Effect.sandbox,
    Effect.catch((cause) => {
      if (loggedFailures.has(row.matchNumber)) return Effect.void
      loggedFailures.add(row.matchNumber)
      return Effect.logError(`${matchId(row.matchNumber)} cannot be written to the archive; retrying`, cause)
    }),
  )

/** Read from the match's records in LIVE. Undefined if the log no longer contains all of them. */
const eventsOf = Effect.fnUntraced(function* (state: MatchState) {
  const log = yield* EventLog
  const events: Array<LiveEvent> = []
  let seq = 0
  let isWhole = true
  yield* log.read(LIVE, liveSubject(state.matchId), { _tag: "First" }).pipe(
    Stream.runForEach((record) =>
      Effect.sync(() => {
        const read = readRecord(record.data)
        if (read === undefined) {
          isWhole = false
          return
        }
        const { delta, internals } = read
        // Skips duplicates. LIVE contains a record twice, with the same content, if two owners published it or if it
        // was appended again so that LIVE would not drop it.
        if (delta.epoch === state.epoch && delta.seq <= seq) return
        if (delta.epoch !== state.epoch || delta.seq !== seq + 1) isWhole = false
        seq = delta.seq
        const event = internals["event"]
        if (event !== undefined) events.push(event as LiveEvent)
      }),
    ),
  )
  return isWhole && seq === state.seq ? events : undefined
})

export class MatchArchiver {
  static readonly layer = Layer.effectDiscard(
    Effect.gen(function* () {
      const { archiveEvery } = yield* MatchConfig
      const loggedFailures = new Set<number>()
      yield* archiveDue(loggedFailures).pipe(
        Effect.catch((error) => Effect.logWarning("cannot read the archive's backlog; retrying", error)),
        Effect.delay(archiveEvery),
        Effect.forever,
        Effect.annotateLogs({ service: "match" }),
        Effect.forkScoped,
      )
    }),
  )
}
