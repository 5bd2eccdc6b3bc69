/** Merges a source's report of a match into its draft: match, lineups, game maps and details. No database access. */
import { isDeepStrictEqual } from "node:util"
import type { ArchivedGame } from "../../../rules/archive/ArchivedMatch.ts"
import type { ResolvedMatch } from "../identity/resolveMatch.ts"
import { lineRows, timelineRows } from "./detailRows.ts"
import type { GameDraft, MatchBook, MatchDraft } from "./MatchBook.ts"
import { mergeGame } from "./mergeGame.ts"
import { mergeSeries, type OrientedReport, qualityOf } from "./mergeSeries.ts"

export interface MergeOutcome {
  readonly draft: MatchDraft
  readonly outcome: "created" | "updated" | "unchanged"
}

/** `nextNumber` gives the number of a match that is not stored yet. */
export const mergeMatch = (book: MatchBook, resolved: ResolvedMatch, nextNumber: () => number): MergeOutcome => {
  const { reported: match } = resolved
  const teams = [resolved.teams[0].number, resolved.teams[1].number] as const
  const known = book.find(match) ?? book.same(match, teams)
  const swapped = known !== undefined && isSwapped(known, teams)
  const report: OrientedReport = {
    match,
    teams: swapped ? [teams[1], teams[0]] : teams,
    event: resolved.event?.number ?? null,
    swapped,
  }
  const draft = known ?? book.add(emptyDraft(match.matchNumber ?? nextNumber(), report))
  book.addKey(draft, { source: match.source, key: match.key })

  const startedAt = draft.series.starts_at
  let isChanged = false
  const series = known === undefined ? draft.series : mergeSeries(draft.number, draft.series, report)
  if (!isDeepStrictEqual(series, draft.series)) {
    draft.series = series
    isChanged = true
  }
  if (series.starts_at !== startedAt) moveGames(draft, startedAt)
  if (addLineups(draft, resolved, report)) isChanged = true
  for (const game of match.games) if (applyGame(draft, resolved, report, game)) isChanged = true
  finish(draft)
  return { draft, outcome: known === undefined ? "created" : isChanged ? "updated" : "unchanged" }
}

const isSwapped = ({ series }: MatchDraft, [first, second]: readonly [number, number]): boolean =>
  series.team1_number === second || series.team2_number === first

const emptyDraft = (number: number, report: OrientedReport): MatchDraft => ({
  number,
  series: mergeSeries(number, undefined, report),
  before: undefined,
  lineup: new Map(),
  lineupBefore: new Map(),
  games: new Map(),
  keys: [],
  newKeys: [],
})

/** Moves the times of maps with the start of their match. Times that were reported separately stay. */
const moveGames = (draft: MatchDraft, startedAt: number): void => {
  for (const game of draft.games.values()) {
    if (game.row.played_at === startedAt) game.row = { ...game.row, played_at: draft.series.starts_at }
  }
}

/** Never removes anyone. If a player is listed for both teams, the first entry is used. */
const addLineups = (draft: MatchDraft, { lineups }: ResolvedMatch, { swapped, teams }: OrientedReport): boolean => {
  const before = draft.lineup.size
  for (const [slot, players] of lineups.entries()) {
    const team_number = teams[swapped ? 1 - slot : slot] ?? teams[0]
    for (const { number: player_number } of players) {
      if (draft.lineup.has(player_number)) continue
      draft.lineup.set(player_number, {
        match_number: draft.number,
        team_number,
        player_number,
        role: "player",
        played_at: draft.series.starts_at,
      })
    }
  }
  return draft.lineup.size > before
}

const applyGame = (draft: MatchDraft, resolved: ResolvedMatch, report: OrientedReport, game: ArchivedGame): boolean => {
  const place = [...draft.games.values()].find(({ row }) => row.map_id === game.map) ?? draft.games.get(game.mapNumber)
  const next = mergeGame(draft, place?.row, report, game)
  if (next === undefined || (place !== undefined && isDeepStrictEqual(place.row, next.row))) return false
  const now: GameDraft = place ?? { row: next.row, before: undefined, lines: undefined, timeline: undefined }
  now.row = next.row
  if (next.replaces.lines) now.lines = lineRows(resolved, report, game, next.row)
  if (next.replaces.timeline) now.timeline = timelineRows(resolved, report, game, next.row)
  draft.games.set(now.row.map_number, now)
  return true
}

const finish = (draft: MatchDraft): void => {
  draft.series = { ...draft.series, data_quality: qualityOf(draft) }
  for (const [player, member] of draft.lineup) draft.lineup.set(player, { ...member, played_at: draft.series.starts_at })
  for (const game of draft.games.values()) {
    const { detail, result_type, team1_score } = game.row
    const isWhole = detail !== "score" || (result_type !== "played" && team1_score !== null)
    game.row = { ...game.row, data_quality: isWhole ? "complete" : "partial" }
  }
}
