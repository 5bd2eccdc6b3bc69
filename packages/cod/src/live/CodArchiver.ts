/** The archive id follows from the live match's, so a match that is written again after a crash changes nothing. */
import { archiverLayer } from "@matchpoint/game/live/archiveFinished"
import { matchesArchived } from "@matchpoint/game/live/archiveMetrics"
import type { FinishedMatch } from "@matchpoint/store/live/FinishedMatches"
import { Effect, Metric, Option, Schema } from "effect"
import { CodArchiveWriter } from "../archive/CodArchiveWriter.ts"
import { CodSummaries } from "../archive/summaries/CodSummaries.ts"
import { archiveIdOf } from "../rules/archive/matchIds.ts"
import { COD } from "../rules/game.ts"
import { archivedMatch } from "../rules/live/archivedMatch.ts"
import { CodResult } from "../rules/live/result.ts"

const decodeResult = Schema.decodeUnknownOption(CodResult)

/** Does nothing if the match has no result, or no winner. */
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
  static readonly layer = archiverLayer({ game: COD, write: writeMatch })
}
