/**
 * Tests the tournament endpoints of tennis over HTTP: lists, calendar, profiles, draws and schedules, their errors, and
 * the history of plans.
 */
import { assert, it } from "@effect/vitest"
import { TennisDraw } from "@matchpoint/tennis/contract/http/data/drawModels"
import {
  DaySchedule,
  ScheduledMatch,
  TennisCalendar,
  TennisCompetition,
  TennisTournament,
  TournamentProfile,
} from "@matchpoint/tennis/contract/http/data/tournamentModels"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs, daysFrom } from "../../fixtures/archiveStack.ts"
import { recentTournament, writeSample } from "../../fixtures/tennisArchive.ts"

const list = dataAs(Schema.Array(TennisTournament))
const competitions = dataAs(Schema.Array(TennisCompetition))
const schedule = dataAs(Schema.Array(ScheduledMatch))
const profile = dataAs(TournamentProfile)
const calendar = dataAs(TennisCalendar)
const draw = dataAs(TennisDraw)
const day = dataAs(DaySchedule)
const ids = (response: ArchiveResponse) => list(response).map(({ id }) => id)

const NEWEST = "atp_2030-404"
const INDIAN_WELLS = "atp_2018-M006"
const isoDay = (at: string) => `${at.slice(0, 4)}-${at.slice(4, 6)}-${at.slice(6)}`

/** One path of each endpoint that a plan with a short history may not read. */
const oldPaths = [
  `/tennis/tournaments/${INDIAN_WELLS}`,
  `/tennis/tournaments/${INDIAN_WELLS}/draw`,
  `/tennis/tournaments/${INDIAN_WELLS}/bracket`,
  `/tennis/tournaments/${INDIAN_WELLS}/schedule`,
  "/tennis/tournaments/atp_404/editions/2018/draw",
  "/tennis/tournaments/calendar?year=2018",
  "/tennis/schedule?date=2024-05-06",
]

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), writeSample))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`tennis tournaments on ${database}`, (it) => {
    it.effect("lists tournaments, newest first, with every filter and page", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const all = yield* get("/tennis/tournaments")
        assert.strictEqual(all.status, 200, all.text)
        assert.strictEqual(all.meta?.["total"], 9)
        assert.deepStrictEqual([ids(all)[0], ids(all).at(-1)], [NEWEST, "atp_1988-404"])
        for (const [query, expected] of [
          ["tour=wta&level=t1", ["wta_1999-W-T1-ITA-01A-1999"]],
          ["tour=ATP&year=2018", [INDIAN_WELLS]],
          ["tier=team", ["atp_2019-D001"]],
          ["surface=carpet", ["atp_2019-0605"]],
          ["country=egy", ["wta_2024-W-ITF-EGY-01A-2024"]],
          ["q=palm%20springs&tier=tour", ["atp_1988-404"]],
          ["q=nothing", []],
          ["limit=1&page=2", ["wta_2024-W-ITF-EGY-01A-2024"]],
        ] as const) {
          assert.deepStrictEqual(ids(yield* get(`/tennis/tournaments?${query}`)), [...expected], query)
        }
        const walked: Array<string> = []
        for (let cursor: unknown = ""; typeof cursor === "string"; ) {
          const page = yield* get(`/tennis/tournaments?limit=4${cursor === "" ? "" : `&cursor=${cursor}`}`)
          walked.push(...ids(page))
          cursor = page.meta?.["nextCursor"]
        }
        assert.deepStrictEqual(walked, ids(all))
        const unknown = yield* get("/tennis/tournaments?surface=Wood")
        assert.deepStrictEqual([unknown.status, unknown.error?.code], [422, "UNKNOWN_VALUE"])
        assert.deepStrictEqual(unknown.error?.details, { parameter: "surface", value: "Wood", valid: ["Carpet", "Clay", "Grass", "Hard"] })
        for (const query of ["tier=huge", "tour=itf", "year=x", "country=egypt", "limit=0", "cursor=abc"]) {
          assert.strictEqual((yield* get(`/tennis/tournaments?${query}`)).status, 400, query)
        }
      }),
    )

    it.effect("groups a season by months and by weeks", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const months = calendar(yield* get("/tennis/tournaments/calendar?year=2019"))
        const brief = ({ by, periods, year }: typeof TennisCalendar.Type) => [
          year,
          by,
          periods.map(({ period, tournaments }) => [period, tournaments.length]),
        ]
        assert.deepStrictEqual(brief(months), [
          2019,
          "month",
          [
            ["2019-03", 1],
            ["2019-11", 2],
          ],
        ])
        const weeks = calendar(yield* get("/tennis/tournaments/calendar?year=2019&by=week&tour=atp&tier=finals"))
        assert.deepStrictEqual(brief(weeks), [2019, "week", [["2019-11-04", 1]]])
        const page = yield* get("/tennis/tournaments/calendar?year=2019&limit=1")
        assert.deepStrictEqual([page.meta?.["total"], page.meta?.["hasNext"], calendar(page).periods.length], [3, true, 1])
        assert.strictEqual((yield* get("/tennis/tournaments/calendar?year=2019&surface=Wood")).status, 422)
        assert.deepStrictEqual(calendar(yield* get("/tennis/tournaments/calendar")).periods, [])
      }),
    )

    it.effect("reads a tournament by its id, and the newest with all champions by the id of the competition", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const one = profile(yield* get(`/tennis/tournaments/${INDIAN_WELLS}`))
        assert.deepStrictEqual([one.id, one.champion?.id, one.finalist?.id, one.editions.length], [INDIAN_WELLS, "atp_1", "atp_3", 4])
        assert.deepStrictEqual(one.location, { country: null, city: null, reason: "location_not_in_source" })
        assert.deepStrictEqual([one.competition.first_year, one.competition.tournaments], [1988, 4])
        const newest = profile(yield* get("/tennis/tournaments/atp_404"))
        assert.strictEqual(newest.id, NEWEST)
        assert.deepStrictEqual(
          newest.editions.map(({ champion, year }) => [year, champion?.id]),
          [
            [2030, "atp_3"],
            [2019, "atp_1"],
            [2018, "atp_1"],
            [1988, "atp_2"],
          ],
        )
        const rome = profile(yield* get("/tennis/tournaments/wta_1999-W-T1-ITA-01A-1999"))
        assert.deepStrictEqual(rome.location, { country: "ITA", city: null, reason: "city_not_in_source" })
        const tie = profile(yield* get("/tennis/tournaments/atp_davis-cup"))
        assert.deepStrictEqual([tie.champion, tie.champion_reason], [null, "team_event"])
        assert.deepStrictEqual(profile(yield* get("/tennis/tournaments/atp_605")).champion_reason, "no_final")
        for (const path of ["", "/draw", "/bracket", "/schedule", "/editions/2018/draw"]) {
          const missing = yield* get(`/tennis/tournaments/atp_999${path}`)
          assert.deepStrictEqual([missing.status, missing.error?.code], [404, "NOT_FOUND"], path)
        }
        assert.strictEqual((yield* get("/tennis/tournaments/itf_1")).status, 400)
        const first = yield* get("/tennis/tournaments/atp_404")
        assert.strictEqual(
          (yield* get("/tennis/tournaments/atp_404", "pro", { "if-none-match": first.headers.get("etag") ?? "" })).status,
          304,
        )
      }),
    )

    it.effect("draws the bracket with seeds, qualifying and byes", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const answer = yield* get(`/tennis/tournaments/${INDIAN_WELLS}/draw`)
        const full = draw(answer)
        assert.deepStrictEqual([full.format, full.completeness, full.champion?.id], ["knockout", "complete", "atp_1"])
        assert.deepStrictEqual(
          full.rounds.map(({ places, round }) => [round, places.map(({ sides }) => sides.map(({ player }) => player?.name))]),
          [
            [
              "SF",
              [
                ["Player a", "Player b"],
                ["Player c", "Player d"],
              ],
            ],
            ["F", [["Player a", "Player c"]]],
          ],
        )
        const [top, bottom] = full.rounds[0]?.places ?? []
        assert.deepStrictEqual([top?.sides[0]?.player?.seed, top?.sides[1]?.player?.entry], ["1", null])
        assert.deepStrictEqual([bottom?.match_id, bottom?.ending, bottom?.score], [`atp-tour-2018-M006-2`, "retired", "6-1 3-0 RET"])
        assert.deepStrictEqual(
          bottom?.sides.map(({ is_winner }) => is_winner),
          [true, false],
        )
        assert.deepStrictEqual(
          full.qualifying.map(({ places, round }) => [round, places.length]),
          [["Q1", 1]],
        )
        assert.strictEqual((yield* get(`/tennis/tournaments/${INDIAN_WELLS}/bracket`)).text, answer.text)
        const byes = draw(yield* get("/tennis/tournaments/atp_2019-0404/draw"))
        const [bye, semifinal] = byes.rounds[0]?.places ?? []
        const semifinals = [bye, semifinal].sort((a, b) => Number(a?.match_id !== null) - Number(b?.match_id !== null))
        assert.deepStrictEqual(
          [semifinals[0]?.reason, semifinals[0]?.sides.map(({ reason }) => reason).sort()],
          ["bye", ["bye", null].sort()],
        )
      }),
    )

    it.effect("answers the draw of another year, and the valid years if there is none", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const reference of ["atp_404", NEWEST, INDIAN_WELLS]) {
          const old = yield* get(`/tennis/tournaments/${reference}/editions/2019/draw`)
          assert.deepStrictEqual([draw(old).tournament.id, old.meta], ["atp_2019-0404", { other_tournaments: [] }])
        }
        const missing = yield* get("/tennis/tournaments/atp_404/editions/2017/draw")
        assert.deepStrictEqual([missing.status, missing.error?.code], [404, "NOT_COVERED"])
        assert.deepStrictEqual(missing.error?.details, { parameter: "year", value: "2017", valid: ["2030", "2019", "2018", "1988"] })
        assert.strictEqual((yield* get("/tennis/tournaments/atp_404/editions/x/draw")).status, 400)
      }),
    )

    it.effect("has groups for a round robin, and a reason for a team competition", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const finals = draw(yield* get("/tennis/tournaments/atp_605/draw"))
        assert.deepStrictEqual([finals.format, finals.completeness, finals.rounds.length], ["round_robin", "complete", 0])
        assert.deepStrictEqual(
          finals.groups.map(({ is_complete, players }) => [is_complete, players.map(({ player, won }) => [player.id, won])]),
          [
            [
              true,
              [
                ["atp_1", 2],
                ["atp_2", 1],
                ["atp_3", 0],
              ],
            ],
          ],
        )
        const tie = draw(yield* get("/tennis/tournaments/atp_davis-cup/draw"))
        assert.deepStrictEqual([tie.format, tie.reason, tie.champion], ["none", "team_event", null])
      }),
    )

    it.effect("lists the matches of a tournament by round, and of a day", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const matches = schedule(yield* get(`/tennis/tournaments/${INDIAN_WELLS}/schedule`))
        assert.deepStrictEqual(
          matches.map(({ round, start_time_known }) => [round, start_time_known]),
          ["Q1", "SF", "SF", "F"].map((round) => [round, false]),
        )
        const may = day(yield* get("/tennis/schedule?date=2024-05-06"))
        assert.deepStrictEqual([may.date, may.matches.length, may.tournaments], ["2024-05-06", 3, []])
        assert.strictEqual(day(yield* get("/tennis/schedule?date=2024-05-06&tour=atp")).matches.length, 0)
        const old = day(yield* get("/tennis/schedule?date=1988-02-15"))
        assert.deepStrictEqual([old.matches.length, old.tournaments.map(({ id }) => id)], [0, ["atp_1988-404"]])
        assert.deepStrictEqual(day(yield* get("/tennis/schedule")).date, daysFrom(now, 0).slice(0, 10))
        const recent = yield* get(`/tennis/schedule?limit=1&date=${isoDay(recentTournament(now).date)}`, "free")
        assert.deepStrictEqual([recent.meta?.["total"], day(recent).matches.length], [2, 1])
        for (const query of ["date=2024-02-30", "date=today"]) assert.strictEqual((yield* get(`/tennis/schedule?${query}`)).status, 400)
      }),
    )

    it.effect("lists competitions with their record champions", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const [first] = competitions(yield* get("/tennis/competitions?q=indian"))
        assert.deepStrictEqual(first?.most_titles, { player: { id: "atp_1", name: "Player a", country: "SUI" }, titles: 2 })
        assert.deepStrictEqual([first?.id, first?.first_year, first?.last_year, first?.newest_id], ["atp_404", 1988, 2030, NEWEST])
        const itf = yield* get("/tennis/competitions?tour=WTA&tier=itf")
        assert.deepStrictEqual(
          competitions(itf).map(({ id }) => id),
          ["wta_w15-cairo"],
        )
        const page = yield* get("/tennis/competitions?limit=2")
        const rest = yield* get(`/tennis/competitions?limit=9&cursor=${page.meta?.["nextCursor"]}`)
        assert.deepStrictEqual([competitions(page).length, competitions(rest).length, rest.meta?.["hasNext"]], [2, 3, false])
      }),
    )

    it.effect("shows a plan only what lies within its history", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const path of oldPaths) {
          const refused = yield* get(path, "free")
          assert.deepStrictEqual([refused.status, refused.error?.code], [403, "HISTORY_LIMIT"], path)
        }
        const shown = yield* get("/tennis/tournaments", "free")
        assert.deepStrictEqual([ids(shown), shown.meta?.["total"]], [[NEWEST], 1])
        const newest = profile(yield* get("/tennis/tournaments/atp_404", "free"))
        assert.deepStrictEqual([newest.id, newest.editions.length, newest.competition.tournaments], [NEWEST, 1, 1])
        const counted = competitions(yield* get("/tennis/competitions", "free"))
        assert.deepStrictEqual(
          counted.map(({ id, most_titles, tournaments }) => [id, tournaments, most_titles?.titles]),
          [["atp_404", 1, 1]],
        )
        assert.strictEqual((yield* get(`/tennis/tournaments/${NEWEST}/draw`, "free")).status, 200)
        const missing = yield* get("/tennis/tournaments/atp_404/editions/2029/draw", "free")
        assert.deepStrictEqual(missing.error?.details, { parameter: "year", value: "2029", valid: ["2030"] })
      }),
    )
  })
}
