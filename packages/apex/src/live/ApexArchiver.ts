/** The id of a series is that of the live match, so a lobby that is written again after a crash changes nothing. */
import { archiverLayer } from "@matchpoint/game/live/archiveFinished"
import { matchesArchived } from "@matchpoint/game/live/archiveMetrics"
import type { FinishedMatch } from "@matchpoint/store/live/FinishedMatches"
import { Effect, Metric, Option, Schema } from "effect"
import { ApexArchiveWriter } from "../archive/ApexArchiveWriter.ts"
import { ApexSummaries } from "../archive/summaries/ApexSummaries.ts"
import { APEX } from "../rules/game.ts"
import { archivedSeries } from "../rules/live/archivedSeries.ts"
import { ApexResult } from "../rules/live/result.ts"

const decodeResult = Schema.decodeUnknownOption(ApexResult)

/** Does nothing if the lobby has no result, as one that was cancelled before its start. */
export const writeLobby = Effect.fn("ApexArchiver.writeLobby")(function* ({ matchId, result }: FinishedMatch) {
  const decoded = decodeResult(result)
  if (Option.isNone(decoded)) return
  const series = archivedSeries(matchId, decoded.value)
  if (typeof series === "string") return yield* Effect.logInfo(`${matchId} is not archived: ${series}`)
  const writer = yield* ApexArchiveWriter
  yield* writer.writeSeries([series])
  yield* (yield* ApexSummaries).refresh
  yield* Metric.update(matchesArchived, 1)
})

export class ApexArchiver {
  static readonly layer = archiverLayer({ game: APEX, write: writeLobby })
}
