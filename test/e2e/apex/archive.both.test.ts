/** Requests the Apex archive through a gateway with real sockets: samples of the specification, plans and paging. */
import { assert, it } from "@effect/vitest"
import { ApexArchiveWriter } from "@matchpoint/apex/archive/ApexArchiveWriter"
import { ApexBans, ApexMatchRow, ApexScores, ApexSeriesRow } from "@matchpoint/apex/contract/http/data/seriesModels"
import {
  ApexCoverage,
  ApexEventLegends,
  ApexEventStats,
  ApexPlayerRow,
  ApexPlayerTotals,
  ApexTransactionRow,
} from "@matchpoint/apex/contract/http/data/statsModels"
import { DateTime, Effect, Schema } from "effect"
import { inject } from "vitest"
import { lobbyOn, transactionOn, writeApexSample } from "../../fixtures/apex/apexSample.ts"
import { ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const asSeries = dataAs(Schema.Array(ApexSeriesRow))
const asMatches = dataAs(Schema.Array(ApexMatchRow))
const asScores = dataAs(ApexScores)
const asBans = dataAs(ApexBans)
const asEvents = dataAs(Schema.Array(ApexEventStats))
const asTotals = dataAs(Schema.Array(ApexPlayerTotals))
const asLegends = dataAs(ApexEventLegends)
const asPlayers = dataAs(Schema.Array(ApexPlayerRow))
const asTransactions = dataAs(Schema.Array(ApexTransactionRow))
const asCoverage = dataAs(ApexCoverage)

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), writeApexSample))) {
  it.layer(stack, { timeout: "120 seconds", excludeTestServices: true })(`apex archive on ${database}`, (it) => {
    it.effect("describes what it has", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const coverage = asCoverage(yield* get("/apex"))
        assert.deepStrictEqual(coverage.totals, { tournaments: 2, series: 4, games: 5, teams: 3, players: 9, transactions: 4 })
        assert.deepStrictEqual(coverage.statuses, { completed: 3, scheduled: 1 })
        assert.deepStrictEqual(coverage.data.kills, { available: true, series: 2, reason: null })
        assert.strictEqual(coverage.data.images.reason, "images_not_licensed")
      }),
    )

    it.effect("lists series with schedule, format and winner, newest first", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const rows = asSeries(yield* get("/apex/algs/events"))
        assert.deepStrictEqual(
          rows.map(({ seriesId, status }) => [seriesId, status]),
          [
            ["spring-next", "scheduled"],
            ["spring--2", "completed"],
            ["spring--3", "completed"],
            ["winter-a", "completed"],
          ],
        )
        assert.deepInclude(rows[0], { winner: null, format: { type: "match_point", threshold: 50 }, gamesPlayed: 0 })
        assert.deepInclude(rows[2], { winner: { teamName: "Blue Foxes", kills: 8, points: 29 }, reasons: {} })
        assert.deepInclude(rows[3]?.reasons, { stage: "not_recorded", startsAt: "not_recorded", maps: "not_recorded" })
        const games = asMatches(yield* get("/apex/algs/matches?status=completed&region=emea&map=storm%20point"))
        assert.deepStrictEqual(
          games.map(({ map, matchId }) => [matchId, map]),
          [
            ["spring--2-game-1", "Storm Point"],
            ["spring--3-game-1", "Storm Point"],
          ],
        )
      }),
    )

    it.effect("returns scores and bans with reasons for what is missing", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const full = asScores(yield* get("/apex/algs/events/spring--3/scores"))
        assert.deepInclude(full.standings[0], { teamName: "Blue Foxes", rank: 1, points: 29, kills: 8, hms: 18, wins: 1 })
        assert.deepStrictEqual(full.standings[0]?.games[0], {
          gameNumber: 1,
          placement: 2,
          kills: 2,
          points: 11,
          totalPoints: 11,
          rankAfter: 2,
        })
        assert.deepInclude(full.playerStats[0], {
          playerName: "Blue Foxes 1",
          teamName: "Blue Foxes",
          kills: 8,
          damage: 800,
          knockdowns: 0,
        })
        assert.deepInclude(full.legendStats[0], { legend: "Bangalore", picks: 6, pickRate: 1, kills: 17, damage: 1_700 })
        assert.deepInclude(full.compositions[0], { legends: ["Bangalore", "Gibraltar", "Horizon"], picks: 4, wins: 1 })
        assert.deepStrictEqual([full.raw, full.exceptions], [{ lobby: "A" }, []])
        assert.deepInclude(full.reasons, { "playerStats.revives": "not_recorded" })
        assert.notProperty(full.reasons, "playerStats.damage")
        const bans = asBans(yield* get("/apex/algs/events/spring--3/bans"))
        assert.deepInclude(bans.games[0], {
          gameNumber: 1,
          bannedLegends: ["Wraith"],
          winner: { teamName: "Ash Wolves", kills: 5, points: 17 },
        })
        const partial = asScores(yield* get("/apex/algs/events/winter-a/scores"))
        assert.deepInclude(partial.standings[1], { rank: 2, points: 16, kills: null, wins: null })
        assert.deepInclude(partial.reasons, { "standings.kills": "contradictory_source", playerStats: "not_recorded" })
        assert.deepStrictEqual(
          partial.exceptions.map(({ code }) => code),
          ["contradictory_placements", "points_differ"],
        )
        assert.deepStrictEqual(asBans(yield* get("/apex/algs/events/winter-a/bans")).reasons, { bannedLegends: "not_recorded" })
      }),
    )

    it.effect("sums up events, players and legends", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const [spring, winter] = asEvents(yield* get("/apex/algs/global-stats"))
        assert.deepInclude(spring, {
          eventId: "spring",
          series: 3,
          games: 4,
          teamCount: 3,
          playerCount: 9,
          reasons: { location: "not_recorded" },
        })
        assert.deepInclude(spring?.leaders.kills[0], { rank: 1, playerName: "Blue Foxes 1", value: 16 })
        assert.deepInclude(spring?.standings[0], { rank: 1, teamName: "Blue Foxes", points: 58, wins: 2, hms: 18 })
        assert.deepInclude(winter?.reasons, { leaders: "not_recorded", "teams.kills": "contradictory_source" })
        const players = yield* get("/apex/algs/global-stats/spring/players?sort=damage&limit=1")
        assert.deepInclude(asTotals(players)[0], { playerName: "Blue Foxes 1", games: 4, series: 2, damage: 1_600, killsPerGame: 4 })
        const none = yield* get("/apex/algs/tournaments/winter/player-stats")
        assert.deepInclude(none.meta, { total: 0, eventId: "winter", unavailableReason: "not_recorded" })
        const legends = asLegends(yield* get("/apex/algs/global-stats/spring/legends?legend=wraith"))
        assert.deepInclude(legends.legends[0], { legend: "Wraith", picks: 0, bans: 4, banRate: 1 })
      }),
    )

    it.effect("finds players and transactions", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const found = yield* get("/apex/algs/players/search?q=ash%20wolves")
        const [player] = asPlayers(found)
        assert.deepInclude(player, {
          playerId: "ash-wolves-1",
          frontImage: null,
          personalityImage: null,
          role: "IGL",
          team: { name: "Ash Wolves", logoLight: null },
          regions: ["emea"],
          stats: { kills: 10, assists: 0, matchesPlayed: 4 },
        })
        assert.deepInclude(JSON.parse(found.text), { success: true, count: 3 })
        assert.isNotEmpty(asPlayers(yield* get("/apex/algs/players/search?q=ash%20wolvs%201")), "a similar name")
        const renames = asTransactions(yield* get("/apex/algs/transactions?team=old%20bears"))
        assert.deepInclude(renames[0], { type: "team_rename", player: null, before: "Old Bears", after: "Cold Bears" })
      }),
    )

    it.effect("includes the day up to which a list is asked for", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const day = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(now - 3 * 86_400_000))
        const ids = asSeries(yield* get(`/apex/algs/events?from=${day}&to=${day}`)).map(({ seriesId }) => seriesId)
        assert.deepStrictEqual(ids, ["spring--3"])
        assert.isAbove(JSON.parse((yield* get(`/apex/algs/matches?from=${day}&to=${day}`)).text).meta.total, 0)
      }),
    )

    it.effect("keeps to the plan's history and answers unchanged responses with 304", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const free = asSeries(yield* get("/apex/algs/events", "free"))
        assert.notInclude(
          free.map(({ seriesId }) => seriesId),
          "winter-a",
        )
        const paths = ["events/winter-a/scores", "events/winter-a/bans", "global-stats/winter/legends", "global-stats/winter/players"]
        for (const path of paths) {
          const refused = yield* get(`/apex/algs/${path}`, "free")
          assert.deepStrictEqual([refused.status, refused.error?.code], [403, "HISTORY_LIMIT"], path)
        }
        const first = yield* get("/apex/algs/events/spring--3/scores")
        const etag = first.headers.get("etag") ?? ""
        assert.strictEqual((yield* get("/apex/algs/events/spring--3/scores", "pro", { "if-none-match": etag })).status, 304)
      }),
    )

    it.effect("walks lists by cursor while rows arrive", () =>
      Effect.gen(function* () {
        const { get, now, onDatabase } = yield* ArchiveStack
        const write = <A, E>(effect: Effect.Effect<A, E, ApexArchiveWriter>) => onDatabase(Effect.provide(effect, ApexArchiveWriter.layer))
        const series = lobbyOn(now, -1)
        yield* Effect.forEach(["/apex/algs/events", "/apex/algs/matches", "/apex/algs/transactions"], (path) =>
          Effect.gen(function* () {
            const before = JSON.stringify((yield* get(`${path}?limit=100`)).data)
            const walked: Array<unknown> = []
            let cursor: unknown = ""
            while (cursor !== null) {
              const page = yield* get(`${path}?limit=1${cursor === "" ? "" : `&cursor=${String(cursor)}`}`)
              assert.strictEqual(page.status, 200, page.text)
              walked.push(...(page.data as ReadonlyArray<unknown>))
              cursor = page.meta?.["nextCursor"] ?? null
              yield* write(
                Effect.flatMap(ApexArchiveWriter, (writer) =>
                  Effect.andThen(
                    writer.writeSeries([
                      { ...series, seriesId: `arrived-${path.length}-${walked.length}`, startsAt: now + 90 * 86_400_000 },
                    ]),
                    writer.writeTransactions([transactionOn(now, 0, { transactionId: `arrived-${walked.length}` })]),
                  ),
                ),
              )
            }
            // Games have their own starts, and those of the arrived series are in the middle of the list.
            const arrived = (row: unknown) => JSON.stringify(row).includes("arrived-")
            assert.strictEqual(
              JSON.stringify(walked.filter((row) => !arrived(row))),
              JSON.stringify(JSON.parse(before).filter((row: unknown) => !arrived(row))),
            )
          }),
        )
      }),
    )
  })
}
