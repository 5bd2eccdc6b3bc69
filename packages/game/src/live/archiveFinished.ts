/**
 * Writes the finished live matches of a game that are not yet in its archive. The write must be idempotent, because a
 * match is written again after a crash. The archive lags behind the live channels by the longest delay of any plan, so
 * it reveals nothing too early.
 */
import type { GameName } from "@matchpoint/domain/ids"
import { type FinishedMatch, FinishedMatches } from "@matchpoint/store/live/FinishedMatches"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Duration, Effect, Layer } from "effect"
import { MatchConfig } from "./MatchConfig.ts"
import { runOrPark } from "./parking.ts"

const AT_ONCE = 50

export interface ArchivedGame<R> {
  readonly game: GameName
  /** Does nothing if the match does not belong in the archive. */
  readonly write: (match: FinishedMatch) => Effect.Effect<void, StoreError, R>
}

/**
 * A match that cannot be archived blocks no others and is tried again. `loggedFailures`: numbers of matches whose
 * failure has been logged.
 */
export const archiveDue = Effect.fn("archiveDue")(function* <R>(archived: ArchivedGame<R>, loggedFailures: Set<number> = new Set()) {
  const finished = yield* FinishedMatches
  const { archiveAfter } = yield* MatchConfig
  const settled = Duration.fromInputUnsafe(archiveAfter)
  let after = 0
  while (true) {
    const due = yield* finished.due(archived.game, { settled, after, limit: AT_ONCE })
    yield* Effect.forEach(due, (match) => archiveOne(archived, match, loggedFailures), { discard: true })
    const last = due.at(-1)
    if (last === undefined || due.length < AT_ONCE) return
    after = last.matchNumber
  }
})

const archiveOne = <R>({ game, write }: ArchivedGame<R>, match: FinishedMatch, loggedFailures: Set<number>) =>
  Effect.gen(function* () {
    const finished = yield* FinishedMatches
    // Marking is the last step: after a crash before it, the match is archived again.
    if (yield* runOrPark(match.matchId, "archive", write(match))) yield* finished.markArchived(game, match)
    loggedFailures.delete(match.matchNumber)
  }).pipe(
    Effect.sandbox,
    Effect.catch((cause) => {
      if (loggedFailures.has(match.matchNumber)) return Effect.void
      loggedFailures.add(match.matchNumber)
      return Effect.logError(`${match.matchId} cannot be written to the archive; retrying`, cause)
    }),
  )

/** Archives due matches for the lifetime of the layer. */
export const archiverLayer = <R>(archived: ArchivedGame<R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { archiveEvery } = yield* MatchConfig
      const loggedFailures = new Set<number>()
      yield* archiveDue(archived, loggedFailures).pipe(
        Effect.catch((error) => Effect.logWarning(`cannot read the finished matches of ${archived.game}; retrying`, error)),
        Effect.delay(archiveEvery),
        Effect.forever,
        Effect.annotateLogs({ service: "match" }),
        Effect.forkScoped,
      )
    }),
  )
