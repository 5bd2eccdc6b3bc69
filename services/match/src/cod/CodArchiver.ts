/**
 * Writes finished matches to the archive of the Call of Duty League. The archive id of a match follows from that of the
 * live match, so a match that is written again after a crash changes nothing.
 */
import { archiveIdOf } from "@matchpoint/domain/cod/archive/matchIds"
import { COD } from "@matchpoint/domain/cod/game"
import { archivedMatch } from "@matchpoint/domain/cod/live/archivedMatch"
import { CodResult } from "@matchpoint/domain/cod/live/result"
import { CodArchiveWriter } from "@matchpoint/store/cod/CodArchiveWriter"
import { CodSummaries } from "@matchpoint/store/cod/summaries/CodSummaries"
import type { FinishedMatch } from "@matchpoint/store/live/FinishedMatches"
import { Effect, Metric, Option, Schema } from "effect"
import { archiverLayer } from "../archiveFinished.ts"
import { matchesArchived } from "../archiveMetrics.ts"

const decodeResult = Schema.decodeUnknownOption(CodResult)

/** Writes a match. Does nothing if it has no result, or no winner. */
export const writeMatch = Effect.fn("CodArchiver.writeMatch")(function* ({ matchId, result }: FinishedMatch) {
  const decoded = decodeResult(result)
  if (Option.isNone(decoded)) return
  const rows = archivedMatch(archiveIdOf(matchId), decoded.value)
  if (typeof rows === "string") return yield* Effect.logInfo(`${matchId} is not archived: ${rows}`)
  const { season, ...archived } = rows
  yield* (yield* CodArchiveWriter).write(archived)
  yield* (yield* CodSummaries).refresh(season)
  yield* Metric.update(matchesArchived, 1)
})

export class CodArchiver {
  /** Archives due matches at a fixed interval for the lifetime of the layer. */
  static readonly layer = archiverLayer({ game: COD, write: writeMatch })
}
