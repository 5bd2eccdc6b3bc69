/**
 * Tests events over HTTP: both names of each path, filters and paging of lists, sparse rows, and the detail of one
 * event.
 */
import { assert, it } from "@effect/vitest"
import { EventParticipant, EventStandings, SparseEvent } from "@matchpoint/cs2/contract/http/data/eventModels"
import { EventRow, MatchSummary } from "@matchpoint/cs2/contract/http/data/models"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs, daysFrom } from "../../fixtures/archiveStack.ts"

const rows = dataAs(Schema.Array(EventRow))
const sparseRows = dataAs(Schema.Array(SparseEvent))
const row = dataAs(EventRow)
const ids = (response: ArchiveResponse) => sparseRows(response).map(({ id }) => id as string)

const WINTER = "cs2-event-11"
const OPEN = "cs2-event-12"
const SPRING = "cs2-event-13"

/** Paths below both names, one of each kind. */
const suffixes = [
  "/live",
  "/upcoming",
  "/recent",
  "/calendar",
  "/active",
  "",
  "?fields=name,status&limit=2",
  "/winter-cup-2026",
  `/${WINTER}/participants`,
  `/${WINTER}/matches`,
  `/${WINTER}/standings`,
]

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`events on ${database}`, (it) => {
    it.effect("answers the same under both names of a path", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const suffix of suffixes) {
          const [one, other] = [yield* get(`/cs2/events${suffix}`), yield* get(`/cs2/tournaments${suffix}`)]
          assert.strictEqual(one.status, 200, `${suffix} ${one.text}`)
          assert.strictEqual(one.text, other.text, suffix)
        }
      }),
    )

    it.effect("lists each event under its state", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const [list, id, status] of [
          ["live", OPEN, "live"],
          ["upcoming", SPRING, "upcoming"],
          ["recent", WINTER, "completed"],
        ] as const) {
          const decoded = rows(yield* get(`/cs2/events/${list}`))
          assert.deepStrictEqual(
            decoded.map((event) => [event.id as string, event.status]),
            [[id, status]],
          )
          assert.deepStrictEqual(ids(yield* get(`/cs2/events?status=${status}`)), [id])
        }
        assert.deepStrictEqual(ids(yield* get("/cs2/events?status=scheduled")), [SPRING])
      }),
    )

    it.effect("pages lists and clamps their limits", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const all = yield* get("/cs2/events")
        assert.deepStrictEqual(ids(all), [SPRING, OPEN, WINTER])
        assert.deepStrictEqual(all.meta, {
          count: 3,
          limit: 50,
          total: 3,
          page: 1,
          totalPages: 1,
          hasNext: false,
          hasPrev: false,
          nextCursor: null,
        })
        const second = yield* get("/cs2/events?limit=2&page=2")
        assert.deepStrictEqual(ids(second), [WINTER])
        assert.deepStrictEqual(second.meta, {
          count: 1,
          limit: 2,
          total: 3,
          page: 2,
          totalPages: 2,
          hasNext: false,
          hasPrev: true,
          nextCursor: null,
        })
        assert.deepStrictEqual(ids(yield* get("/cs2/events?limit=1&offset=1")), [OPEN])
        assert.deepStrictEqual(ids(yield* get("/cs2/events?page=9")), [])
        for (const [path, limit] of [
          ["", 100],
          ["/live", 100],
          ["/upcoming", 100],
          ["/recent", 100],
          ["/calendar", 250],
          ["/active", 250],
          [`/${WINTER}/participants`, 100],
          [`/${WINTER}/matches`, 100],
        ] as const)
          assert.strictEqual((yield* get(`/cs2/events${path}?limit=9999`)).meta?.["limit"], limit, path)
      }),
    )

    it.effect("applies every filter", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const day = (days: number) => daysFrom(now, days)
        const kept = (query: string) => Effect.map(get(`/cs2/events?${query}`), ids)
        assert.deepStrictEqual(yield* kept("tier=B"), [OPEN])
        assert.deepStrictEqual(yield* kept("lan=true"), [SPRING, WINTER])
        assert.deepStrictEqual(yield* kept("region=Europe"), [WINTER])
        assert.deepStrictEqual(yield* kept("q=winter"), [WINTER])
        assert.deepStrictEqual(yield* kept(`from=${day(-13)}&to=${day(-11)}`), [OPEN])
        assert.deepStrictEqual(yield* kept(`to=${day(-37)}`), [WINTER])
        assert.deepStrictEqual(yield* kept(`from=${day(11.9)}`), [OPEN])
        assert.deepStrictEqual(yield* kept(`from=${day(12.1)}`), [])
      }),
    )

    it.effect("omits fields that were not requested with fields or summary", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const path of ["/cs2/events", "/cs2/events/active"]) {
          const [named] = sparseRows(yield* get(`${path}?fields=name,%20status&limit=1`))
          assert.hasAllKeys(named ?? {}, ["id", "name", "status"])
          const [short] = sparseRows(yield* get(`${path}?summary=true&limit=1`))
          assert.containsAllKeys(short ?? {}, ["name", "startsAt", "teamCount"])
          assert.doesNotHaveAnyKeys(short ?? {}, ["standings", "eventStructure", "unavailableFields"])
          const [both] = sparseRows(yield* get(`${path}?summary=true&fields=tier&limit=1`))
          assert.hasAllKeys(both ?? {}, ["id", "tier"])
          const wrong = yield* get(`${path}?fields=name,colour`)
          assert.strictEqual(wrong.status, 400)
          assert.match(JSON.stringify(wrong.error?.details), /unknown field colour; known fields: .*prizePool/)
        }
      }),
    )

    it.effect("fills active events up with the next upcoming ones", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const all = yield* get("/cs2/events/active")
        assert.deepStrictEqual(ids(all), [OPEN, SPRING])
        assert.deepInclude(all.meta, {
          total: 2,
          activeCount: 1,
          upcomingFillCount: 1,
          dataAvailable: true,
          sort: "status,startsAt",
          statusScope: ["live", "upcoming"],
        })
        for (const query of ["includeUpcoming=false", "include_upcoming=0", "upcomingLimit=0", "upcoming_limit=0"]) {
          const response = yield* get(`/cs2/events/active?${query}`)
          assert.deepStrictEqual(ids(response), [OPEN], query)
          assert.deepInclude(response.meta, { total: 1, activeCount: 1, upcomingFillCount: 0 }, query)
        }
        const second = yield* get("/cs2/events/active?limit=1&page=2")
        assert.deepStrictEqual(ids(second), [SPRING])
        assert.deepInclude(second.meta, { count: 1, total: 2, hasPrev: true, activeCount: 1 })
      }),
    )

    it.effect("starts the calendar today by default", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const Calendar = Schema.Struct({ entityType: Schema.String, dataAvailable: Schema.Boolean, events: Schema.Array(EventRow) })
        const calendar = (query: string, plan: "pro" | "free" = "pro") =>
          Effect.map(get(`/cs2/events/calendar?${query}`, plan), (response) =>
            dataAs(Calendar)(response).events.map(({ id }) => id as string),
          )
        assert.deepStrictEqual(yield* calendar(""), [OPEN, SPRING])
        assert.deepStrictEqual(yield* calendar("status=completed"), [WINTER])
        assert.deepStrictEqual(yield* calendar("status=completed", "free"), [])
        assert.deepStrictEqual(yield* calendar("status=scheduled"), [SPRING])
        assert.deepStrictEqual(yield* calendar(`to=${daysFrom(now, 0)}`), [WINTER, OPEN])
        const none = yield* get(`/cs2/events/calendar?from=${daysFrom(now, 100)}`)
        assert.deepInclude(none.data, { entityType: "cs2_tournament_calendar", dataAvailable: false, events: [] })
      }),
    )

    it.effect("returns an event with structure, prizes, standings and counts of what was played", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const event = row(yield* get("/cs2/events/Winter-Cup-2026"))
        assert.deepStrictEqual(event, row(yield* get(`/cs2/events/${WINTER}`)))
        const [final] = event.eventStructure?.stages[0]?.rounds[0]?.matches ?? []
        assert.deepStrictEqual(
          [final?.matchId as string, final?.team1Name, final?.team1Score, final?.team2Score, final?.winnerTeamId as string],
          ["cs2-match-1001", "Alpha Wolves", 2, 1, "cs2-team-1"],
        )
        assert.deepStrictEqual(event.stats, { matches: 1, maps: 3, rounds: 67, players: 10 })
        assert.deepStrictEqual(
          event.prizeDistribution?.map(({ amount, place, teamId }) => [place, teamId as string, amount]),
          [
            ["1", "cs2-team-1", 60_000],
            ["2", "cs2-team-2", 40_000],
          ],
        )
        assert.deepStrictEqual(
          event.standings.map((team) => [
            team.place,
            team.teamName,
            team.matchesWon,
            team.matchesLost,
            team.mapsWon,
            team.mapsLost,
            team.prize,
          ]),
          [
            ["1", "Alpha Wolves", 1, 0, 2, 1, 60_000],
            ["2", "Team Bravo", 0, 1, 1, 2, 40_000],
          ],
        )
        // An announced event has no such data yet.
        const spring = row(yield* get(`/cs2/events/${SPRING}`))
        assert.deepInclude(spring, { eventStructure: null, prizeDistribution: null, stats: null, standings: [] })
        assert.deepInclude(spring.unavailableFields ?? {}, { prizePool: { reason: "event_field_unavailable" } })
      }),
    )

    it.effect("computes standings from results if the organiser published none", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const standings = dataAs(EventStandings)
        assert.strictEqual(standings(yield* get(`/cs2/events/${WINTER}/standings`)).source, "organiser")
        const open = standings(yield* get(`/cs2/events/${OPEN}/standings`))
        assert.deepInclude(open, { source: "computed", dataAvailable: true })
        // The event itself reports the same.
        assert.isTrue(row(yield* get(`/cs2/events/${OPEN}`)).standingsAvailable)
        // Team 3 won its only match, whose score is unknown. Team 1 won by forfeit, whose map does not count.
        assert.deepStrictEqual(
          open.standings.map(({ mapsWon, matchesLost, matchesWon, place, teamId }) => [
            place,
            teamId as string,
            matchesWon,
            matchesLost,
            mapsWon,
          ]),
          [
            ["1", "cs2-team-3", 1, 0, 0],
            ["2", "cs2-team-1", 1, 1, 0],
            ["3", "cs2-team-4", 0, 1, 0],
          ],
        )
        assert.deepInclude(standings(yield* get(`/cs2/events/${SPRING}/standings`)), { source: null, dataAvailable: false, standings: [] })
      }),
    )

    it.effect("returns participants by seed, with the players who played", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const response = yield* get(`/cs2/events/${WINTER}/participants`)
        const participants = dataAs(Schema.Array(EventParticipant))(response)
        assert.deepStrictEqual(
          participants.map(({ matchesPlayed, matchesWon, placement, seed, team }) => [
            team.name,
            seed,
            placement,
            matchesPlayed,
            matchesWon,
          ]),
          [
            ["Alpha Wolves", 1, "1", 1, 1],
            ["Team Bravo", 2, "2", 1, 0],
          ],
        )
        assert.deepStrictEqual(
          participants[0]?.players.map(({ nickname }) => nickname),
          ["p101", "p102", "p103", "p104", "p105"],
        )
        assert.strictEqual(response.meta?.["total"], 2)
        assert.deepInclude((yield* get(`/cs2/events/${WINTER}/participants?limit=1&page=2`)).meta, { count: 1, page: 2, hasPrev: true })
      }),
    )

    it.effect("returns the matches of an event", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const matches = (query: string) =>
          Effect.map(get(`/cs2/events/open-league/matches${query}`), (response) =>
            dataAs(Schema.Array(MatchSummary))(response).map(({ id }) => id as string),
          )
        assert.deepStrictEqual(yield* matches(""), ["cs2-match-1002", "cs2-match-1006"])
        assert.deepStrictEqual(yield* matches("?limit=1&offset=1"), ["cs2-match-1006"])
        assert.deepStrictEqual(yield* matches("?status=upcoming"), [])
      }),
    )

    it.effect("limits events to the history of the plan", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        assert.deepStrictEqual(ids(yield* get("/cs2/events", "free")), [SPRING, OPEN])
        assert.deepStrictEqual(ids(yield* get("/cs2/events/recent", "free")), [])
        assert.deepStrictEqual(ids(yield* get("/cs2/events/recent", "starter")), [WINTER])
        const old = daysFrom(now, -31)
        for (const path of [
          `?from=${old}`,
          `/calendar?from=${old}`,
          `/${WINTER}`,
          `/${WINTER}/participants`,
          `/${WINTER}/matches`,
          `/${WINTER}/standings`,
        ]) {
          const response = yield* get(`/cs2/events${path}`, "free")
          assert.deepStrictEqual([response.status, response.error?.code], [403, "HISTORY_LIMIT"], path)
          assert.strictEqual((yield* get(`/cs2/events${path}`, "starter")).status, 200, path)
        }
      }),
    )

    it.effect("answers 404 to unknown events, 400 to invalid requests and 304 if nothing has changed", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const name of ["cs2-event-999", "no-such-cup"])
          for (const below of ["", "/participants", "/matches", "/standings"]) {
            const response = yield* get(`/cs2/events/${name}${below}`)
            assert.deepStrictEqual([response.status, response.error?.code], [404, "NOT_FOUND"], `${name}${below}`)
          }
        for (const query of [
          "/bad!name",
          "?limit=0",
          "?page=x",
          "?status=over",
          "?from=yesterday",
          "?offset=-1",
          "/active?summary=perhaps",
        ])
          assert.strictEqual((yield* get(`/cs2/events${query}`)).status, 400, query)
        const first = yield* get("/cs2/events/winter-cup-2026")
        const again = yield* get("/cs2/events/winter-cup-2026", "pro", { "if-none-match": first.headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
      }),
    )
  })
}
