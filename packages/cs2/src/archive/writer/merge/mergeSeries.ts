/**
 * Merges a source's report of a match into the stored match. Missing values are filled in, more reliable values replace
 * less reliable ones, and a source may correct its own earlier values. If the sources do not contradict each other, the
 * order of their reports does not affect the result.
 */
import type { ArchivedMatch, TeamSlot, VetoStep } from "../../../rules/archive/ArchivedMatch.ts"
import { matchId } from "../../../rules/ids.ts"
import type { SeriesRow } from "../rows.ts"
import type { GameDraft, MatchDraft } from "./MatchBook.ts"

const confidences = ["low", "medium", "high"] as const
/**
 * In order of progress. A status is never replaced by an earlier one, because an old schedule may be imported after the
 * match has ended. The only exception is a cancelled match that is postponed or played after all.
 */
const progress = ["upcoming", "live", "cancelled", "completed"] as const

export interface OrientedReport {
  readonly match: ArchivedMatch
  /** In the order in which the stored match lists the teams. */
  readonly teams: readonly [number, number]
  readonly event: number | null
  /** The source and the stored match list the teams in opposite order. */
  readonly swapped: boolean
}

export const oriented = <A>([first, second]: readonly [A, A], swapped: boolean): readonly [A, A] =>
  swapped ? [second, first] : [first, second]

export const teamOfSlot = ({ swapped, teams }: OrientedReport, slot: TeamSlot): number => oriented(teams, swapped)[slot]

interface Provenance {
  readonly source: string
  readonly confidence: SeriesRow["confidence"]
}

/**
 * The report must come from the source that the row names, or from the one that the merged row will name (see {@link
 * provenanceOf}). Otherwise a row would name a source but not have its values, and the same report would change the row
 * when it arrives again.
 */
export const isMoreReliable = (row: Provenance, reported: Provenance): boolean =>
  row.source === reported.source || provenanceOf(row, reported) === reported

/** The more reliable version. With equal confidence, the choice does not depend on which was stored first. */
export const provenanceOf = <R extends Provenance>(row: R, reported: R): R => {
  const difference = confidences.indexOf(reported.confidence) - confidences.indexOf(row.confidence)
  return difference > 0 || (difference === 0 && reported.source < row.source) ? reported : row
}

export const mergeSeries = (number: number, row: SeriesRow | undefined, report: OrientedReport): SeriesRow => {
  const reported = reportedRow(number, report)
  if (row === undefined) return reported
  const surer = isMoreReliable(row, reported)
  const choose = <A>(old: A | null, now: A | null): A | null => (surer ? (now ?? old) : (old ?? now))
  const isFiner = reported.starts_precision === "minute" && row.starts_precision === "day"
  const isCoarser = reported.starts_precision === "day" && row.starts_precision === "minute"
  const times = isFiner || (surer && !isCoarser) ? reported : row
  const { confidence, source } = provenanceOf(row, reported)
  const hasScore = surer ? reported.team1_score !== null : row.team1_score === null
  const score = hasScore ? reported : row
  return {
    ...row,
    event_number: choose(row.event_number, reported.event_number),
    stage_name: choose(row.stage_name, reported.stage_name),
    status: isReopened(row, reported) || progress.indexOf(reported.status) > progress.indexOf(row.status) ? reported.status : row.status,
    starts_at: times.starts_at,
    starts_precision: times.starts_precision,
    ends_at: choose(row.ends_at, reported.ends_at),
    best_of: choose(row.best_of, reported.best_of),
    is_lan: choose(row.is_lan, reported.is_lan),
    team1_number: reported.team1_number,
    team2_number: reported.team2_number,
    team1_score: score.team1_score,
    team2_score: score.team2_score,
    winner_team_number: choose(row.winner_team_number, reported.winner_team_number),
    is_forfeit: row.is_forfeit || reported.is_forfeit,
    veto: choose(row.veto, reported.veto),
    demo_links: choose(row.demo_links, reported.demo_links),
    stream_links: choose(row.stream_links, reported.stream_links),
    source,
    confidence,
  }
}

/** Reported as postponed or as being played after all. Unreported matches are cancelled automatically. */
const isReopened = (row: SeriesRow, reported: SeriesRow): boolean =>
  row.status === "cancelled" && (reported.status === "live" || (reported.status === "upcoming" && reported.starts_at > row.starts_at))

const reportedRow = (number: number, report: OrientedReport): SeriesRow => {
  const { match, swapped, teams } = report
  const [score1 = null, score2 = null] = match.score === undefined ? [] : oriented(match.score, swapped)
  const leader = score1 === null || score2 === null || score1 === score2 ? undefined : score1 > score2 ? teams[0] : teams[1]
  const winner = match.winner === undefined ? leader : teamOfSlot(report, match.winner)
  return {
    match_number: number,
    event_number: report.event,
    stage_name: match.stageName ?? null,
    status: match.status,
    starts_at: match.startsAt,
    starts_precision: match.startsPrecision,
    ends_at: match.endsAt ?? null,
    best_of: match.bestOf ?? null,
    is_lan: match.isLan ?? null,
    team1_number: teams[0],
    team2_number: teams[1],
    team1_score: score1,
    team2_score: score2,
    winner_team_number: match.status === "completed" ? (winner ?? null) : null,
    is_forfeit: match.isForfeit ?? false,
    veto: match.veto === undefined || match.veto.length === 0 ? null : match.veto.map((step) => vetoRow(report, step)),
    demo_links:
      match.demoLinks === undefined || match.demoLinks.length === 0
        ? null
        : match.demoLinks.map((url) => ({ url: linkOf(url, number), platform: null, language: null })),
    stream_links:
      match.streamLinks === undefined || match.streamLinks.length === 0
        ? null
        : match.streamLinks.map(({ language, platform, url }) => ({ url: linkOf(url, number), platform, language })),
    source: match.source,
    confidence: match.confidence,
    data_quality: "partial",
  }
}

const linkOf = (url: string, number: number): string => url.replaceAll("{matchId}", matchId(number))

const vetoRow = (report: OrientedReport, { action, map, order, team }: VetoStep) => ({
  order,
  action,
  teamNumber: team === null ? null : teamOfSlot(report, team),
  map,
})

/** "complete": the match is over and has a score, both lineups, and details of every map that was played. */
export const qualityOf = ({ games, lineup, series }: MatchDraft): SeriesRow["data_quality"] => {
  const players = (team: number) => [...lineup.values()].filter(({ team_number }) => team_number === team).length
  const isWhole =
    series.status === "completed" &&
    series.team1_score !== null &&
    players(series.team1_number) >= 5 &&
    players(series.team2_number) >= 5 &&
    [...games.values()].some(isPlayed) &&
    [...games.values()].every((game) => !isPlayed(game) || game.row.detail !== "score")
  return isWhole ? "complete" : "partial"
}

const isPlayed = ({ row }: GameDraft): boolean => row.result_type === "played"
