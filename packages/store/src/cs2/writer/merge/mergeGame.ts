/**
 * Merges a source's report of a game map into the stored map. All player statistics are taken from a single source, and
 * so are all rounds and events: the source with more data wins. If two sources have the same amount, the choice does
 * not depend on the order of their reports. The map's score is merged like the match's score. Pure functions.
 */
import { createHash } from "node:crypto"
import type { ArchivedGame } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import type { DetailReport, GameRow } from "../rows.ts"
import type { MatchDraft } from "./MatchBook.ts"
import { isMoreReliable, oriented, provenanceOf, type Told, teamOfSlot } from "./mergeSeries.ts"

export interface ToldGame {
  readonly row: GameRow
  /**
   * Which details of the stored map the report replaces: `lines` for player statistics, `timeline` for rounds and
   * events.
   */
  readonly replaces: { readonly lines: boolean; readonly timeline: boolean }
}

/**
 * Merges a reported game map into the stored one. The fields of the match itself must have been merged before. Returns
 * undefined if a different map is stored at this position of the match and the report is not reliable enough to replace
 * it.
 */
export const mergeGame = (draft: MatchDraft, row: GameRow | undefined, told: Told, game: ArchivedGame): ToldGame | undefined => {
  const said = saidOf(draft, told, game)
  const lines = tellingOf(told.match.source, game.lines, linesWeight(game))
  const timeline = tellingOf(told.match.source, [game.rounds, game.events], game.rounds.length * 1000 + game.events.length)
  if (row === undefined) {
    const tellings = { ...(lines && { lines }), ...(timeline && { timeline }) }
    return {
      row: { ...said, detail: detailOf(tellings), tellings },
      replaces: { lines: lines !== undefined, timeline: timeline !== undefined },
    }
  }
  const surer = isMoreReliable(row, said)
  if (row.map_id !== said.map_id && !surer) return undefined
  const replaces = { lines: hasMoreData(row.tellings.lines, lines), timeline: hasMoreData(row.tellings.timeline, timeline) }
  const kept = { lines: replaces.lines ? lines : row.tellings.lines, timeline: replaces.timeline ? timeline : row.tellings.timeline }
  const tellings = { ...(kept.lines && { lines: kept.lines }), ...(kept.timeline && { timeline: kept.timeline }) }
  const choose = <A>(old: A | null, now: A | null): A | null => (surer ? (now ?? old) : (old ?? now))
  const score = (surer ? said.team1_score !== null : row.team1_score === null) ? said : row
  const { confidence, source } = provenanceOf(row, said)
  const hasTime = game.playedAt !== undefined && (surer || row.played_at === draft.series.starts_at)
  return {
    row: {
      ...row,
      map_id: said.map_id,
      status: said.status === "completed" || surer ? said.status : row.status,
      result_type: surer ? said.result_type : row.result_type,
      team1_score: score.team1_score,
      team2_score: score.team2_score,
      halves: choose(row.halves, said.halves),
      pick_team_number: choose(row.pick_team_number, said.pick_team_number),
      winner_team_number: choose(row.winner_team_number, said.winner_team_number),
      rounds: choose(row.rounds, said.rounds),
      duration_ms: choose(row.duration_ms, said.duration_ms),
      played_at: hasTime ? said.played_at : row.played_at,
      detail: detailOf(tellings),
      tellings,
      source,
      confidence,
    },
    replaces,
  }
}

const detailOf = ({ lines, timeline }: GameRow["tellings"]): GameRow["detail"] =>
  timeline === undefined ? (lines === undefined ? "score" : "players") : "rounds"

const tellingOf = (source: string, content: ReadonlyArray<unknown>, weight: number): DetailReport | undefined =>
  weight === 0 ? undefined : { source, weight, digest: createHash("sha1").update(JSON.stringify(content)).digest("base64url") }

/**
 * Returns the number of values in the player statistics of a report, as a measure of how much data the report contains.
 */
const linesWeight = ({ lines }: ArchivedGame): number =>
  lines.reduce((sum, line) => sum + Object.keys(line).length + (line.weapons?.length ?? 0), 0)

/**
 * Returns true if the report replaces the stored details. A source replaces its own earlier data unless its new report
 * contains less. Another source must have more data than what is stored.
 */
const hasMoreData = (known: DetailReport | undefined, told: DetailReport | undefined): boolean => {
  if (told === undefined) return false
  if (known === undefined) return true
  if (known.source === told.source) return told.weight >= known.weight && told.digest !== known.digest
  return told.weight > known.weight || (told.weight === known.weight && told.source < known.source)
}

const saidOf = (draft: MatchDraft, told: Told, game: ArchivedGame): GameRow => {
  const { match, swapped, teams } = told
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
    pick_team_number: game.pickedBy === undefined || game.pickedBy === null ? null : teamOfSlot(told, game.pickedBy),
    winner_team_number: match.status === "completed" ? (game.winner === undefined ? leader : teamOfSlot(told, game.winner)) : null,
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
