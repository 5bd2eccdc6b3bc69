/** A row is identified by the id of the live match, so a match that is written again after a crash changes nothing. */
import type { MatchId } from "@matchpoint/domain/ids"
import { archiverLayer } from "@matchpoint/game/live/archiveFinished"
import { matchesArchived } from "@matchpoint/game/live/archiveMetrics"
import type { FinishedMatch } from "@matchpoint/store/live/FinishedMatches"
import { Effect, Metric, Option, Schema } from "effect"
import { TennisProfiles } from "../archive/live/TennisProfiles.ts"
import { PlayerMerges } from "../archive/merges/PlayerMerges.ts"
import { rowLiteral } from "../archive/rowLiteral.ts"
import { TennisSummaries } from "../archive/summaries/TennisSummaries.ts"
import { TennisArchiveWriter } from "../archive/TennisArchiveWriter.ts"
import { liveRow } from "../rules/archive/liveRow.ts"
import { TENNIS } from "../rules/game.ts"
import type { SideSheet } from "../rules/live/feedEvents.ts"
import { PlayerId } from "../rules/live/registry.ts"
import { TennisResult } from "../rules/live/result.ts"

const decodeResult = Schema.decodeUnknownOption(TennisResult)

/** Does nothing if the match has no result, as one that was cancelled before its start. */
export const writeMatch = Effect.fn("TennisArchiver.writeMatch")(function* ({ matchId, result }: FinishedMatch) {
  const decoded = decodeResult(result)
  if (Option.isSome(decoded)) yield* writeRow(matchId, decoded.value)
})

const writeRow = Effect.fnUntraced(function* (matchId: MatchId, result: TennisResult) {
  const merges = yield* PlayerMerges
  const profiles = yield* TennisProfiles
  const writer = yield* TennisArchiveWriter
  const summaries = yield* TennisSummaries
  const named = liveRow(matchId, result, new Map())
  if (typeof named === "string") return yield* Effect.logInfo(`${matchId} is not archived: ${named}`)
  const current = yield* merges.currentOf(named.playerIds)
  const ids = named.playerIds.map((id) => current.get(id) ?? id)
  const row = liveRow(matchId, withCurrentPlayers(result, current), yield* profiles.on(ids, named.date))
  if (typeof row === "string") return
  yield* writer.write(row.table, [rowLiteral(row.cells)])
  if (row.table === "tennis_matches") {
    const { date, playerIds, tournamentId } = row
    yield* summaries.update({ tour: result.tour, playerIds, tournamentId, year: Number(date.slice(0, 4)) })
  }
  yield* Metric.update(matchesArchived, 1)
})

/** A feed may still name a player by an old id. */
const withCurrentPlayers = (result: TennisResult, current: ReadonlyMap<string, string>): TennisResult => {
  const sideOf = ({ players }: SideSheet): SideSheet => ({
    players: players.map(({ id, name }) => {
      const into = current.get(id ?? "")
      return { id: into === undefined ? id : PlayerId.make(into), name }
    }),
  })
  const [one, other] = result.sides
  return { ...result, sides: [sideOf(one), sideOf(other)] }
}

export class TennisArchiver {
  static readonly layer = archiverLayer({ game: TENNIS, write: writeMatch })
}
