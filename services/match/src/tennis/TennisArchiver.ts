/**
 * Writes finished live matches to the archive. The archiver repeatedly processes the matches that have ended in the match
 * register and are not yet in the archive. A row is identified by the id of the live match, so a match that is written
 * again after a crash changes nothing.
 *
 * The archive lags behind the live channels by the longest delay of any plan, so it reveals nothing too early.
 */
import { liveRow } from "@matchpoint/domain/tennis/archive/liveRow"
import { TennisResult } from "@matchpoint/domain/tennis/live/result"
import { type FinishedMatch, TennisBacklog } from "@matchpoint/store/tennis/live/TennisBacklog"
import { rowLiteral } from "@matchpoint/store/tennis/rowLiteral"
import { TennisSummaries } from "@matchpoint/store/tennis/summaries/TennisSummaries"
import { TennisArchiveWriter } from "@matchpoint/store/tennis/TennisArchiveWriter"
import { Duration, Effect, Layer, Metric, Option, Schema } from "effect"
import { matchesArchived } from "../archiveMetrics.ts"
import { MatchConfig } from "../MatchConfig.ts"
import { runOrPark } from "../parking.ts"

const AT_ONCE = 50

const decodeResult = Schema.decodeUnknownOption(TennisResult)

/**
 * Archives every due match once. A match that cannot be archived does not block the others and is tried again in the next
 * pass. `loggedFailures` contains the numbers of the matches whose failure has already been logged.
 */
export const archiveDue = Effect.fn("TennisArchiver.archiveDue")(function* (loggedFailures: Set<number> = new Set()) {
  const backlog = yield* TennisBacklog
  const { archiveAfter } = yield* MatchConfig
  const settled = Duration.fromInputUnsafe(archiveAfter)
  let after = 0
  while (true) {
    const due = yield* backlog.due({ settled, after, limit: AT_ONCE })
    yield* Effect.forEach(due, (match) => archiveOne(match, loggedFailures), { discard: true })
    const last = due.at(-1)
    if (last === undefined || due.length < AT_ONCE) return
    after = last.matchNumber
  }
})

const archiveOne = (match: FinishedMatch, loggedFailures: Set<number>) =>
  Effect.gen(function* () {
    const backlog = yield* TennisBacklog
    const result = decodeResult(match.result)
    const write = Option.isNone(result) ? Effect.void : writeRow(match, result.value)
    // Marking the match as archived is the last step. After a crash before it, the match is archived again.
    if (yield* runOrPark(match.matchId, "archive", write)) yield* backlog.markArchived(match)
    loggedFailures.delete(match.matchNumber)
  }).pipe(
    Effect.sandbox,
    Effect.catch((cause) => {
      if (loggedFailures.has(match.matchNumber)) return Effect.void
      loggedFailures.add(match.matchNumber)
      return Effect.logError(`${match.matchId} cannot be written to the archive; retrying`, cause)
    }),
  )

const writeRow = Effect.fnUntraced(function* ({ matchId }: FinishedMatch, result: TennisResult) {
  const backlog = yield* TennisBacklog
  const writer = yield* TennisArchiveWriter
  const summaries = yield* TennisSummaries
  const plain = liveRow(matchId, result, new Map())
  if (typeof plain === "string") return yield* Effect.logInfo(`${matchId} is not archived: ${plain}`)
  const row = liveRow(matchId, result, yield* backlog.profiles(plain.playerIds, plain.date))
  if (typeof row === "string") return
  yield* writer.write(row.table, [rowLiteral(row.cells)])
  if (row.table === "tennis_matches") {
    const { date, playerIds, tournamentId } = row
    yield* summaries.update({ tour: result.tour, playerIds, tournamentId, year: Number(date.slice(0, 4)) })
  }
  yield* Metric.update(matchesArchived, 1)
})

export class TennisArchiver {
  /** Archives due matches at a fixed interval for the lifetime of the layer. */
  static readonly layer = Layer.effectDiscard(
    Effect.gen(function* () {
      const { archiveEvery } = yield* MatchConfig
      const loggedFailures = new Set<number>()
      yield* archiveDue(loggedFailures).pipe(
        Effect.catch((error) => Effect.logWarning("cannot read the backlog of the tennis archive; retrying", error)),
        Effect.delay(archiveEvery),
        Effect.forever,
        Effect.annotateLogs({ service: "match" }),
        Effect.forkScoped,
      )
    }),
  )
}
