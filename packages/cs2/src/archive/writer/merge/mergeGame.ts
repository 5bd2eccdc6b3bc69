/**
 * Merges a source's report of a game map into the stored map. All player statistics come from a single source, and so
 * do all rounds and events: from the source with more data. If two have the same amount, the choice does not depend on
 * the order of their reports. The map's score is merged by the same rules as the match's score.
 */
import { createHash } from "node:crypto"
import type { ArchivedGame } from "../../../rules/archive/ArchivedMatch.ts"
import type { DetailReport, GameRow } from "../rows.ts"
import type { MatchDraft } from "./MatchBook.ts"
import { isMoreReliable, type OrientedReport, oriented, provenanceOf, teamOfSlot } from "./mergeSeries.ts"

export interface MergedGame {
  readonly row: GameRow
  /** Which stored details the report replaces: player statistics (`lines`), rounds and events (`timeline`). */
  readonly replaces: { readonly lines: boolean; readonly timeline: boolean }
}

/**
 * The fields of the match must have been merged before. Undefined if the stored match has a different map at this
 * position and the report is not reliable enough to replace it.
 */
export const mergeGame = (
  draft: MatchDraft,
  row: GameRow | undefined,
  report: OrientedReport,
  game: ArchivedGame,
): MergedGame | undefined => {
  const reported = reportedRow(draft, report, game)
  const lines = detailReportOf(report.match.source, game.lines, linesWeight(game))
  const timeline = detailReportOf(report.match.source, [game.rounds, game.events], game.rounds.length * 1000 + game.events.length)
  if (row === undefined) {
    const reports = { ...(lines && { lines }), ...(timeline && { timeline }) }
    return {
      row: { ...reported, detail: detailOf(reports), tellings: reports },
      replaces: { lines: lines !== undefined, timeline: timeline !== undefined },
    }
  }
  const surer = isMoreReliable(row, reported)
  if (row.map_id !== reported.map_id && !surer) return undefined
  const replaces = { lines: hasMoreData(row.tellings.lines, lines), timeline: hasMoreData(row.tellings.timeline, timeline) }
  const kept = { lines: replaces.lines ? lines : row.tellings.lines, timeline: replaces.timeline ? timeline : row.tellings.timeline }
  const reports = { ...(kept.lines && { lines: kept.lines }), ...(kept.timeline && { timeline: kept.timeline }) }
  const choose = <A>(old: A | null, now: A | null): A | null => (surer ? (now ?? old) : (old ?? now))
  const score = (surer ? reported.team1_score !== null : row.team1_score === null) ? reported : row
  const { confidence, source } = provenanceOf(row, reported)
  const hasTime = game.playedAt !== undefined && (surer || row.played_at === draft.series.starts_at)
  return {
    row: {
      ...row,
      map_id: reported.map_id,
      status: reported.status === "completed" || surer ? reported.status : row.status,
      result_type: surer ? reported.result_type : row.result_type,
      team1_score: score.team1_score,
      team2_score: score.team2_score,
      halves: choose(row.halves, reported.halves),
      pick_team_number: choose(row.pick_team_number, reported.pick_team_number),
      winner_team_number: choose(row.winner_team_number, reported.winner_team_number),
      rounds: choose(row.rounds, reported.rounds),
      duration_ms: choose(row.duration_ms, reported.duration_ms),
      played_at: hasTime ? reported.played_at : row.played_at,
      detail: detailOf(reports),
      tellings: reports,
      source,
      confidence,
    },
    replaces,
  }
}

const detailOf = ({ lines, timeline }: GameRow["tellings"]): GameRow["detail"] =>
  timeline === undefined ? (lines === undefined ? "score" : "players") : "rounds"

const detailReportOf = (source: string, content: ReadonlyArray<unknown>, weight: number): DetailReport | undefined =>
  weight === 0 ? undefined : { source, weight, digest: createHash("sha1").update(JSON.stringify(content)).digest("base64url") }

/** Number of values, as a measure of how much data the report contains. */
const linesWeight = ({ lines }: ArchivedGame): number =>
  lines.reduce((sum, line) => sum + Object.keys(line).length + (line.weapons?.length ?? 0), 0)

/** A source replaces its own data unless the new report contains less. Another source must have more than is stored. */
const hasMoreData = (known: DetailReport | undefined, reported: DetailReport | undefined): boolean => {
  if (reported === undefined) return false
  if (known === undefined) return true
  if (known.source === reported.source) return reported.weight >= known.weight && reported.digest !== known.digest
  return reported.weight > known.weight || (reported.weight === known.weight && reported.source < known.source)
}

const reportedRow = (draft: MatchDraft, report: OrientedReport, game: ArchivedGame): GameRow => {
  const { match, swapped, teams } = report
  const [score1 = null, score2 = null] = game.score === undefined ? [] : oriented(game.score, swapped)
  const leader = score1 === null || score2 === null || score1 === score2 ? null : score1 > score2 ? teams[0] : teams[1]
  const rounds = score1 === null || score2 === null || game.resultType !== "played" ? (game.lines[0]?.rounds ?? null) : score1 + score2
  return {
    match_number: draft.number,
    map_number: game.mapNumber,
    map_id: game.map,
    status: match.status === "completed" && game.resultType === "unplayed" ? "cancelled" : match.status,
    result_type: game.resultType,
    team1_score: score1,
    team2_score: score2,
    halves:
      game.halves === undefined || game.halves.length === 0
        ? null
        : game.halves.map((half) => {
            const [team1, team2] = oriented([half.team1, half.team2], swapped)
            const other = half.team1Side === "CT" ? "T" : "CT"
            return { number: half.number, team1Side: swapped ? other : half.team1Side, team1, team2, overtime: half.overtime }
          }),
    pick_team_number: game.pickedBy === undefined || game.pickedBy === null ? null : teamOfSlot(report, game.pickedBy),
    winner_team_number: match.status === "completed" ? (game.winner === undefined ? leader : teamOfSlot(report, game.winner)) : null,
    rounds,
    duration_ms: game.durationMs ?? null,
    played_at: game.playedAt ?? draft.series.starts_at,
    detail: "score",
    tellings: {},
    source: match.source,
    confidence: match.confidence,
    data_quality: "partial",
  }
}
