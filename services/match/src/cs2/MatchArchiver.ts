/**
 * Tells the archive of live matches: announced, begun, a map further, over. It works off what the register has and the archive has not, again and again:
 * a crash anywhere costs telling something twice, which the archive's writer answers with "unchanged".
 *
 * The archive hears of everything with the delay of the slowest plan, counted by our clock from when the register was told, which is
 * after the live channels were. So no list, count, search or statistic of the archive, whoever asks, is ahead of the live channels of any
 * plan; a delay per caller would have to be woven into each of their statements. Real-time plans hear of an end from the live section.
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
 * One round: everything that is due is tried once. A match that cannot be told holds up no other, and is tried again next round. What
 * follows from matches that are over now is asked of the upkeep, whose clock makes good for it should the process die between.
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
    const telling = writer.match(archivedMatch(row, state, events)).pipe(Effect.andThen(writer.players(toldPlayers(row, state))))
    // Told last: a match that a crash leaves in the backlog is told again, but a mark of parking that it left behind would stay.
    if (yield* doOrPark(id, "archive", Effect.andThen(telling, Metric.update(matchesArchived, 1)))) yield* backlog.told(row)
    complained.delete(row.matchNumber)
  }).pipe(
    Effect.sandbox,
    Effect.catch((cause) => {
      if (complained.has(row.matchNumber)) return Effect.void
      complained.add(row.matchNumber)
      return Effect.logError(`${matchId(row.matchNumber)} cannot be told to the archive; it is tried again and again`, cause)
    }),
  )

/** All events of the match, from its frames. Undefined: the log has not all of them any more, or lost some before. */
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
        // What two owners have published, or what was repeated to stay readable, is in the log twice, and means the same.
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
  /** Works for as long as the layer lives. */
  static readonly layer = Layer.effectDiscard(
    Effect.gen(function* () {
      const { archiveEvery } = yield* MatchConfig
      const complained = new Set<number>()
      yield* archiveDue(complained).pipe(
        Effect.catch((error) => Effect.logWarning("the archive's backlog cannot be read; it will be tried again", error)),
        Effect.delay(archiveEvery),
        Effect.forever,
        Effect.annotateLogs({ service: "match" }),
        Effect.forkScoped,
      )
    }),
  )
}
