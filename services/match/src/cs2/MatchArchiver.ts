/**
 * Writes live matches to the archive when they are announced, start, finish a map and end. It repeatedly processes the
 * changes that are in the register but not yet in the archive. A crash may cause a change to be written twice, which
 * the archive's writer ignores as unchanged.
 *
 * The archive lags behind by the delay of the slowest plan. The delay counts, by the database's clock, from the time at
 * which the register's row changed, which is after the live channels had the change. So no list, count, search or
 * statistic of the archive is ahead of the live channels of any plan. A delay per caller would have to be part of every
 * SQL statement of the archive. Callers with a real-time plan see the end of a match in the live section.
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { matchId } from "@matchpoint/domain/cs2/ids"
import type { MatchState } from "@matchpoint/domain/cs2/live/state"
import { ArchiveWriter } from "@matchpoint/store/cs2/ArchiveWriter"
import { ArchiveBacklog, type DueMatch } from "@matchpoint/store/cs2/upkeep/ArchiveBacklog"
import { Duration, Effect, Layer, Metric, Stream } from "effect"
import { matchesArchived } from "../archiveMetrics.ts"
import { MatchCheckpoints } from "../MatchCheckpoints.ts"
import { MatchConfig } from "../MatchConfig.ts"
import { doOrPark } from "../parking.ts"
import { requestUpkeep } from "./ArchiveUpkeep.ts"
import { archivedMatch, toldPlayers } from "./archivedMatch.ts"
import { cs2LiveGame } from "./cs2LiveGame.ts"

const AT_ONCE = 50

/**
 * Processes every due match once. A match that cannot be archived does not block others and is tried again in the next
 * round. If matches have ended, requests the archive's upkeep. If the process dies before that request, the hourly
 * upkeep covers it. `complained` holds the matches whose failure is already logged.
 */
export const archiveDue = Effect.fn("MatchArchiver.archiveDue")(function* (complained: Set<number> = new Set()) {
  const backlog = yield* ArchiveBacklog
  const { archiveAfter } = yield* MatchConfig
  const settled = Duration.fromInputUnsafe(archiveAfter)
  let after = 0
  let played = false
  while (true) {
    const due = yield* backlog.due({ settled, after, limit: AT_ONCE })
    yield* Effect.forEach(due, (row) => archiveOne(row, complained), { discard: true })
    played ||= due.some(({ status }) => status === "completed")
    const last = due.at(-1)
    if (last === undefined || due.length < AT_ONCE) break
    after = last.matchNumber
  }
  if (played) yield* requestUpkeep
})

const archiveOne = (row: DueMatch, complained: Set<number>) =>
  Effect.gen(function* () {
    const writer = yield* ArchiveWriter
    const id = matchId(row.matchNumber)
    const backlog = yield* ArchiveBacklog
    const checkpoints = yield* MatchCheckpoints
    const state = (yield* checkpoints.load(cs2LiveGame.rules, id))?.state
    const isOver = row.status === "completed" || row.status === "cancelled"
    const events = isOver && state !== undefined ? yield* eventsOf(state) : undefined
    const telling = writer
      .match(archivedMatch(row, state, events))
      .pipe(Effect.andThen(writer.players(toldPlayers(row, state))), Effect.andThen(backlog.told(row)))
    yield* doOrPark(id, "archive", Effect.andThen(telling, Metric.update(matchesArchived, 1)))
    complained.delete(row.matchNumber)
  }).pipe(
    Effect.sandbox,
    Effect.catch((cause) => {
      if (complained.has(row.matchNumber)) return Effect.void
      complained.add(row.matchNumber)
      return Effect.logError(`${matchId(row.matchNumber)} cannot be written to the archive; retrying`, cause)
    }),
  )

/** Returns all events of the match from its frames, or undefined if the log does not contain all of them. */
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
        // Records that two owners published, or that were repeated to stay readable, appear twice with the same
        // content.
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
  /** Archives matches for the lifetime of the layer. */
  static readonly layer = Layer.effectDiscard(
    Effect.gen(function* () {
      const { archiveEvery } = yield* MatchConfig
      const complained = new Set<number>()
      yield* archiveDue(complained).pipe(
        Effect.catch((error) => Effect.logWarning("cannot read the archive's backlog; retrying", error)),
        Effect.delay(archiveEvery),
        Effect.forever,
        Effect.annotateLogs({ service: "match" }),
        Effect.forkScoped,
      )
    }),
  )
}
