/** Status, timeline and tournament link of one match, from a live match or from the archive. No side effects. */
import { Schema } from "effect"
import type { MatchRecord, TournamentKey } from "../../archive/live/TennisMatchRecords.ts"
import type { TennisMatchStatus, TennisTimeline, TournamentLink } from "../../contract/http/liveModels.ts"
import type { LiveTennisMatch } from "../../contract/LiveTennisMatch.ts"
import { isUnlinkedTournament, LIVE_SOURCE } from "../../rules/archive/liveRow.ts"
import { PlayerId } from "../../rules/live/registry.ts"

export const statusOfLive = ({ end_reason, id, silence, status, suspended_at }: LiveTennisMatch): TennisMatchStatus => ({
  match_id: id,
  status: end_reason ?? status,
  source_status: sourceStatusOf({ silence, status, suspended_at }),
  is_final: status === "completed" || status === "cancelled",
})

const sourceStatusOf = ({ silence, status, suspended_at }: Pick<LiveTennisMatch, "silence" | "status" | "suspended_at">) => {
  if (status === "completed" || status === "cancelled") return "ended"
  if (suspended_at !== null) return "suspended"
  return silence?.status ?? (status === "upcoming" ? "scheduled" : "reporting")
}

export const statusOfRecord = ({ ending, matchId, score }: MatchRecord): TennisMatchStatus => ({
  match_id: matchId,
  status: ending,
  source_status: /[A-Za-z][A-Za-z./ ]*$/u.exec(score.trim())?.[0] ?? (score.trim() === "" ? "no_score" : "score"),
  is_final: ending !== "unfinished" && ending !== "unknown",
})

type Coverage = TennisTimeline["coverage"]
type Event = TennisTimeline["events"][number]

const noSet = { set: null, games: null, tiebreak_points: null, winner: null } as const

export const timelineOfLive = (match: LiveTennisMatch): TennisTimeline => {
  const { ended_at, sets, side1, side2, started_at, suspended_at, winner } = match
  const events: Array<Event> = []
  if (started_at !== null) events.push({ ...noSet, type: "match_started", at: started_at })
  for (const set of sets) {
    if (set.winner === null) continue
    const { ended_at: at, side1, side2, tie_break } = set
    // A match tie-break has no games, so its points take their place.
    const isMatchTieBreak = tie_break !== null && side1 + side2 === 1
    events.push({
      type: "set_ended",
      at,
      set: set.set,
      games: isMatchTieBreak ? tie_break : { side1, side2 },
      tiebreak_points: tie_break === null || isMatchTieBreak ? null : Math.min(tie_break.side1, tie_break.side2),
      winner: set.winner,
    })
  }
  if (suspended_at !== null) events.push({ ...noSet, type: "match_suspended", at: suspended_at })
  if (ended_at !== null) events.push({ ...noSet, type: "match_ended", at: ended_at, winner })
  return { match_id: match.id, sides: { side1: side1.players, side2: side2.players }, coverage: coverageOfLive(match), events }
}

const coverageOfLive = ({ started_at, statistics, status }: LiveTennisMatch): Coverage => {
  if (started_at === null) return { point_history: "unavailable", reason: status === "upcoming" ? "not_started" : "no_play" }
  return statistics.is_complete
    ? { point_history: "available", reason: null }
    : { point_history: "set_level_only", reason: "points_missing" }
}

const isPlayerId = Schema.is(PlayerId)

export const timelineOfRecord = (record: MatchRecord): TennisTimeline => {
  const { ending, loserGames, losers, matchId, tiebreakPoints, winnerGames, winners } = record
  const playersOf = (players: MatchRecord["winners"]) =>
    players.map(({ id, name }) => ({ id: isPlayerId(id) ? id : null, name: name ?? id }))
  const isOver = ending === "completed"
  const sets = winnerGames.map((games, index): Event => {
    const lost = loserGames[index] ?? 0
    const isLast = index === winnerGames.length - 1
    return {
      type: "set_ended",
      at: null,
      set: index + 1,
      games: { side1: games, side2: lost },
      tiebreak_points: tiebreakPoints[index] ?? null,
      // The last set of a match that was not played to its end is unfinished, unless its score is that of a won set.
      winner: isLast && !isOver && !isWonSet(games, lost) ? null : games > lost ? 1 : 2,
    }
  })
  const played = sets.filter(({ winner }) => winner !== null)
  const hasWinner = ending !== "unfinished" && ending !== "unknown"
  return {
    match_id: matchId,
    sides: { side1: playersOf(winners), side2: playersOf(losers) },
    coverage: coverageOfRecord(record),
    events: [...played, ...(hasWinner ? [{ ...noSet, type: "match_ended" as const, at: null, winner: 1 as const }] : [])],
  }
}

const isWonSet = (one: number, two: number): boolean => {
  const [most, least] = one > two ? [one, two] : [two, one]
  return (most >= 6 && most - least >= 2) || (most === 7 && least === 6)
}

const coverageOfRecord = ({ ending, scoreProblem, winnerGames }: MatchRecord): Coverage => {
  if (winnerGames.length > 0) return { point_history: "set_level_only", reason: "archive_has_sets_only" }
  return { point_history: "unavailable", reason: scoreProblem === null && ending !== "unknown" ? "no_play" : "score_unreadable" }
}

/** `tournament` is null if the feed of a live match has not named one. */
interface LinkedMatch {
  readonly matchId: string
  readonly isLive: boolean
  readonly tournamentName: string | null
  readonly tournament: TournamentKey | null
}

export const tournamentOfLive = ({ id, tournament, tour }: LiveTennisMatch): LinkedMatch => ({
  matchId: id,
  isLive: true,
  tournamentName: tournament.name,
  tournament: tournament.id === null ? null : { tour: tour === "ATP" ? "atp" : "wta", id: tournament.id.slice(4) },
})

export const tournamentOfRecord = ({ dateSource, matchId, tour, tournamentId, tournamentName }: MatchRecord): LinkedMatch => ({
  matchId,
  isLive: dateSource === LIVE_SOURCE,
  tournamentName,
  tournament: dateSource === LIVE_SOURCE && isUnlinkedTournament(tournamentId) ? null : { tour, id: tournamentId },
})

/** `competitionId` is null if the archive does not have the tournament that the match names. */
export const linkOf = ({ isLive, matchId, tournament, tournamentName }: LinkedMatch, competitionId: string | null): TournamentLink => {
  const isLinked = tournament !== null && competitionId !== null
  return {
    match_id: matchId,
    tournament_id: isLinked ? `${tournament.tour}_${tournament.id}` : null,
    competition_id: isLinked ? competitionId : null,
    tournament_name: tournamentName,
    reason: isLinked ? null : isLive ? "live_match_not_reconciled" : "tournament_not_in_archive",
  }
}
