/** Tests status, timeline and tournament link of archived matches. Those of live matches are tested end to end. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { MatchRecord } from "../../src/archive/live/TennisMatchRecords.ts"
import { TennisMatchStatus, TennisTimeline, TournamentLink } from "../../src/contract/http/liveModels.ts"
import { linkOf as linkBetween, statusOfRecord, timelineOfRecord, tournamentOfRecord } from "../../src/edge/live/matchAnswers.ts"

const record: MatchRecord = {
  matchId: "atp-tour-2023-580-145",
  tour: "atp",
  date: "2023-01-20",
  dateSource: null,
  tournamentId: "2023-0580",
  tournamentName: "Example Open",
  score: "7-6(5) 3-6 6-4",
  ending: "completed",
  scoreProblem: null,
  winnerGames: [7, 3, 6],
  loserGames: [6, 6, 4],
  tiebreakPoints: [5, null, null],
  winners: [{ id: "atp_1", name: "A. Able" }],
  losers: [{ id: "atp_2", name: null }],
}

const exact = { onExcessProperty: "error" } as const
const statusOf = (change: Partial<MatchRecord>) =>
  Schema.decodeUnknownSync(TennisMatchStatus, exact)(statusOfRecord({ ...record, ...change }))
const timelineOf = (change: Partial<MatchRecord>) =>
  Schema.decodeUnknownSync(TennisTimeline, exact)(timelineOfRecord({ ...record, ...change }))
const linkOf = (change: Partial<MatchRecord>, competitionId: string | null = "atp_580") => {
  const match = tournamentOfRecord({ ...record, ...change })
  return Schema.decodeUnknownSync(TournamentLink, exact)(linkBetween(match, match.tournament === null ? null : competitionId))
}

describe("an archived match", () => {
  it("is final if its ending is known, and shows the remark of its score", () => {
    assert.deepInclude(statusOf({}), { status: "completed", source_status: "score", is_final: true })
    assert.deepInclude(statusOf({ score: "6-4 2-1 RET", ending: "retired" }), { source_status: "RET", is_final: true })
    assert.deepInclude(statusOf({ score: "W/O", ending: "walkover" }), { status: "walkover", source_status: "W/O", is_final: true })
    assert.deepInclude(statusOf({ score: " ", ending: "unknown" }), { source_status: "no_score", is_final: false })
    for (const ending of ["unfinished", "unknown"] as const) assert.isFalse(statusOf({ ending }).is_final)
  })

  it("has the sets of its score as events, from the winner's view", () => {
    const { coverage, events, sides } = timelineOf({})
    assert.deepStrictEqual(coverage, { point_history: "set_level_only", reason: "archive_has_sets_only" })
    assert.deepStrictEqual(sides, { side1: [{ id: "atp_1", name: "A. Able" }], side2: [{ id: "atp_2", name: "atp_2" }] } as never)
    assert.deepStrictEqual(
      events.map(({ at, games, set, tiebreak_points, type, winner }) => [
        type,
        at,
        set,
        games?.side1,
        games?.side2,
        tiebreak_points,
        winner,
      ]),
      [
        ["set_ended", null, 1, 7, 6, 5, 1],
        ["set_ended", null, 2, 3, 6, null, 2],
        ["set_ended", null, 3, 6, 4, null, 1],
        ["match_ended", null, null, undefined, undefined, null, 1],
      ],
    )
  })

  it("leaves out the set in which a player retired", () => {
    const types = (winnerGames: ReadonlyArray<number>, loserGames: ReadonlyArray<number>) =>
      timelineOf({ ending: "retired", winnerGames, loserGames, tiebreakPoints: winnerGames.map(() => null) }).events.map(({ type }) => type)
    assert.deepStrictEqual(types([6, 2], [4, 1]), ["set_ended", "match_ended"])
    assert.deepStrictEqual(types([6, 6], [4, 4]), ["set_ended", "set_ended", "match_ended"])
  })

  it("states why it has no sets", () => {
    const none = { winnerGames: [], loserGames: [], tiebreakPoints: [] }
    assert.deepInclude(timelineOf({ ...none, ending: "walkover" }).coverage, { point_history: "unavailable", reason: "no_play" })
    assert.deepInclude(timelineOf({ ...none, scoreProblem: "missing_games" }).coverage, { reason: "score_unreadable" })
    assert.isEmpty(timelineOf({ ...none, ending: "unknown" }).events)
  })

  it("is linked to its tournament, unless it was live and its feed named none", () => {
    assert.deepInclude(linkOf({}), { tournament_id: "atp_2023-0580", competition_id: "atp_580", reason: null })
    const live = { matchId: "tennis-match-1001", dateSource: "live" }
    assert.deepInclude(linkOf({ ...live, tournamentId: "2026-99900" }), { tournament_id: "atp_2026-99900", reason: null })
    const unknown = { tournament_id: null, competition_id: null, tournament_name: "Example Open" }
    assert.deepInclude(linkOf({ ...live, tournamentId: "2026-99900" }, null), { ...unknown, reason: "live_match_not_reconciled" })
    assert.deepInclude(linkOf({}, null), { ...unknown, reason: "tournament_not_in_archive" })
    assert.deepInclude(linkOf({ ...live, tournamentId: "2026-live-example-open" }), {
      tournament_id: null,
      competition_id: null,
      tournament_name: "Example Open",
      reason: "live_match_not_reconciled",
    })
  })
})
