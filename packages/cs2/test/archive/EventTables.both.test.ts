/**
 * Tests standings, prizes, regions, counts and changes in API responses, on every driver. The statements use the
 * database's own clock.
 */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ArchiveWriter } from "../../src/archive/ArchiveWriter.ts"
import { Changelog } from "../../src/archive/Changelog.ts"
import { EventArchive } from "../../src/archive/events/EventArchive.ts"
import { EventPrizes } from "../../src/archive/events/EventPrizes.ts"
import { GameArchive } from "../../src/archive/matches/GameArchive.ts"
import { RankingWriter } from "../../src/archive/rankings/RankingWriter.ts"
import { TeamArchive } from "../../src/archive/teams/TeamArchive.ts"
import { Freshness } from "../../src/archive/upkeep/Freshness.ts"
import type { ArchivedMatch } from "../../src/rules/archive/ArchivedMatch.ts"
import { regions } from "../../src/rules/archive/regions.ts"
import { eventId } from "../../src/rules/ids.ts"

const DAY = 86_400_000
const page = { limit: 50, offset: 0 }
const today = Math.floor(Date.now() / DAY) * DAY

type Archive =
  | ArchiveWriter
  | Changelog
  | EventArchive
  | EventPrizes
  | Freshness
  | GameArchive
  | RankingWriter
  | SqlClient.SqlClient
  | TeamArchive

/** A completed match of two teams, which are named after their numbers. */
const won = (event: string, winner: number, loser: number, score: readonly [number, number], startsAt: number): ArchivedMatch => ({
  source: "test",
  key: `${event}:${winner}:${loser}`,
  status: "completed",
  startsAt,
  startsPrecision: "minute",
  endsAt: startsAt + 3_600_000,
  event: { key: event, name: event },
  bestOf: 3,
  teams: [teamOf(winner), teamOf(loser)],
  score,
  winner: 0,
  lineups: [[], []],
  games: [],
  confidence: "high",
})

const teamOf = (number: number) => ({ key: `t${number}`, name: `Team ${number}`, teamNumber: number })

const event = (key: string, startsAt: number, endsAt: number) =>
  Effect.gen(function* () {
    const { entityNumber } = yield* (yield* ArchiveWriter).event({ key, name: key, startsAt, endsAt }, { source: "test", at: startsAt })
    return entityNumber
  })

const found = (number: number) =>
  Effect.map(
    Effect.flatMap(EventArchive, (events) => events.one(eventId(number))),
    Option.getOrThrow,
  )

const suite = (it: Vitest.MethodsNonLive<Archive>) => {
  it.effect("teams eliminated in the same bracket round share a place", () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      const start = today - 40 * DAY
      const number = yield* event("Cup", start, start + 5 * DAY)
      const play = (winner: number, loser: number, score: readonly [number, number], day: number) =>
        won("Cup", winner, loser, score, start + day * DAY)
      yield* writer.matches([
        ...(
          [
            [1, 8],
            [2, 7],
            [3, 6],
            [4, 5],
          ] as const
        ).map(([a, b]) => play(a, b, [2, a % 2 === 0 ? 1 : 0], 0)),
        play(1, 4, [2, 0], 2),
        play(2, 3, [2, 1], 2),
        play(1, 2, [2, 1], 4),
      ])
      const { standings } = yield* found(number)
      assert.deepStrictEqual(
        standings.map(({ place, teamName }) => [place, teamName]),
        [
          ["1", "Team 1"],
          ["2", "Team 2"],
          ["3-4", "Team 3"],
          ["3-4", "Team 4"],
          ["5-8", "Team 5"],
          ["5-8", "Team 7"],
          ["5-8", "Team 6"],
          ["5-8", "Team 8"],
        ],
      )
    }),
  )

  it.effect("an event that has not begun has participants but no standings", () =>
    Effect.gen(function* () {
      const start = today + 10 * DAY
      const number = yield* event("Announced", start, start + 5 * DAY)
      yield* (yield* ArchiveWriter).match({
        ...won("Announced", 1, 2, [0, 0], start),
        status: "upcoming",
        score: undefined,
        winner: undefined,
        endsAt: undefined,
      })
      const announced = yield* found(number)
      assert.deepInclude(announced, { teamCount: 2, standings: [], standingsAvailable: false })
      assert.notInclude(announced.availableSubresources, "standings")
      assert.include(announced.unavailableSubresources, "standings")
    }),
  )

  it.effect("assigns prize money of the regional standings to the only matching event", () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      const prizes = yield* EventPrizes
      const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
      const [first, second] = [today - 100 * DAY, today - 98 * DAY]
      const paid = yield* event("Paid", first - 5 * DAY, first)
      yield* event("At the same time", second - 5 * DAY, second)
      // At that time, team 21 took part in one event and team 22 in two.
      yield* writer.matches([won("Paid", 21, 22, [2, 0], first - DAY), won("At the same time", 23, 22, [2, 0], second - DAY)])
      yield* (yield* RankingWriter).prizes("test", [
        { teamNumber: 21, endedOn: dayOf(first), ordinal: 1, usdCents: 5_000_000 },
        { teamNumber: 22, endedOn: dayOf(first), ordinal: 1, usdCents: 2_000_000 },
      ])
      assert.strictEqual(yield* prizes.settle, 1)
      assert.strictEqual(yield* prizes.settle, 0)
      const { currency, prizePool, standings } = yield* found(paid)
      // The amount of team 22 may be of this event: the sum is not known.
      assert.deepStrictEqual([currency, prizePool], ["USD", null])
      assert.deepStrictEqual(
        standings.map(({ prize, teamName }) => [teamName, prize]),
        [
          ["Team 21", 50_000],
          ["Team 22", null],
        ],
      )
    }),
  )

  it.effect("derives a prize pool that no source reports from the prizes, if none is missing", () =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      const prizes = yield* EventPrizes
      const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
      /** Three teams, the first one the winner and the last one the loser of both matches; prizes in dollars by place. */
      const played = Effect.fnUntraced(function* (
        name: string,
        firstTeam: number,
        end: number,
        dollars: readonly [first: number | null, second: number | null, third: number | null],
      ) {
        const [first, second, third] = [firstTeam, firstTeam + 1, firstTeam + 2]
        const number = yield* event(name, end - 5 * DAY, end)
        yield* writer.matches([
          won(name, first, second, [2, 0], end - 2 * DAY),
          won(name, first, third, [2, 0], end - 2 * DAY),
          won(name, second, third, [2, 0], end - DAY),
        ])
        yield* (yield* RankingWriter).prizes(
          "test",
          dollars.flatMap((amount, place) =>
            amount === null ? [] : [{ teamNumber: firstTeam + place, endedOn: dayOf(end), ordinal: 1, usdCents: amount * 100 }],
          ),
        )
        return number
      })
      const whole = yield* played("Whole", 61, today - 200 * DAY, [50_000, 20_000, null])
      const headless = yield* played("Without the winner's prize", 71, today - 220 * DAY, [null, 20_000, 5_000])
      const gap = yield* played("With a gap", 81, today - 240 * DAY, [50_000, null, 5_000])
      assert.strictEqual(yield* prizes.settle, 7)
      assert.strictEqual(yield* prizes.settle, 0)

      const known = yield* found(whole)
      assert.deepInclude(known, { prizePool: 70_000, currency: "USD" })
      assert.notProperty(known.unavailableFields, "prizePool")
      for (const number of [headless, gap]) {
        const { prizePool, unavailableFields } = yield* found(number)
        assert.isNull(prizePool)
        assert.property(unavailableFields, "prizePool")
      }

      // A pool that a source reports later replaces the sum.
      const dates = { startsAt: today - 205 * DAY, endsAt: today - 200 * DAY }
      yield* writer.event({ key: "other", name: "Whole", prizePool: 100_000, ...dates }, { source: "other", at: today })
      assert.deepInclude(yield* found(whole), { prizePool: 100_000 })
      assert.strictEqual(yield* prizes.settle, 0)
    }),
  )

  it.effect("filters teams by each of the seven regions", () =>
    Effect.gen(function* () {
      assert.strictEqual(regions.length, 7)
      const seen = { source: "test", at: today }
      const homes = [
        ["DE", "europe"],
        ["BR", "americas"],
        ["US", "americas"],
        ["AU", "asia"],
        ["MN", "asia"],
      ] as const
      yield* (yield* ArchiveWriter).teams(
        homes.map(([countryCode, region], index) => ({ team: { ...teamOf(41 + index), countryCode, region }, seen })),
      )
      const countries = (region: string) =>
        Effect.map(
          Effect.flatMap(TeamArchive, (teams) => teams.list({ ...page, region, order: "name" })),
          ({ rows }) => rows.map(({ countryCode }) => countryCode).sort(),
        )
      assert.deepStrictEqual(yield* countries("europe"), ["DE"])
      assert.deepStrictEqual(yield* countries("americas"), ["BR", "US"])
      assert.deepStrictEqual(yield* countries("north-america"), ["US"])
      assert.deepStrictEqual(yield* countries("south-america"), ["BR"])
      assert.deepStrictEqual(yield* countries("oceania"), ["AU"])
      assert.deepStrictEqual(yield* countries("middle-east"), [])
    }),
  )

  it.effect("counts demos as matches with a link, and puts our match id into links", () =>
    Effect.gen(function* () {
      const freshness = yield* Freshness
      const before = (yield* freshness.coverage).demos
      const match = won("Cup", 1, 3, [2, 0], today - 30 * DAY)
      const { entityNumber } = yield* (yield* ArchiveWriter).match({
        ...match,
        key: "with demo",
        demoLinks: ["/demos/{matchId}.dem"],
        // A map with rounds and events does not count as a demo.
        games: [],
      })
      assert.strictEqual((yield* freshness.coverage).demos, before + 1)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly url: string }>`
        SELECT demo_links->0->>'url' AS url FROM cs2_series WHERE match_number = ${entityNumber}`
      assert.strictEqual(row?.url, `/demos/cs2-match-${entityNumber}.dem`)
    }),
  )

  it.effect("returns changelog values as text or objects", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const values = [null, 7, true, "text", ["a", "b"], { name: "a" }]
      for (const value of values) {
        yield* sql`
          INSERT INTO cs2_changelog (entity_type, entity_id, field_path, old_value, new_value, action)
          VALUES ('team', 'cs2-team-values', 'f', ${value === null ? null : sql.unsafe(`'${JSON.stringify(value)}'::jsonb`)}, 'null'::jsonb, 'updated')`
      }
      const { rows } = yield* (yield* Changelog).changes({ ...page, entityId: "cs2-team-values", full: false })
      assert.deepStrictEqual(rows.map(({ oldValue }) => oldValue).reverse(), ["", "7", "true", "text", '["a", "b"]', { name: "a" }])
      assert.isTrue(rows.every(({ newValue }) => newValue === ""))
    }),
  )

  it.effect("only the round may be null in rows of map events", () =>
    Effect.gen(function* () {
      const player = (number: number) => ({ key: `p${number}`, nickname: `p${number}`, playerNumber: 900 + number })
      const { entityNumber } = yield* (yield* ArchiveWriter).match({
        ...won("Events", 51, 52, [1, 0], today - 20 * DAY),
        lineups: [[player(1)], [player(2)]],
        games: [
          {
            mapNumber: 1,
            map: "de_nuke",
            resultType: "played",
            score: [13, 0],
            lines: [],
            rounds: [],
            events: [
              { type: "RoundStart", round: 1, clockMs: 0, offsetMs: 60_000, payload: { ctPlayers: 5, tPlayers: 5 } },
              {
                type: "Kill",
                clockMs: 2_000,
                offsetMs: 62_000,
                player: player(1),
                victim: player(2),
                payload: { ctPlayers: 5, tPlayers: 4 },
              },
              { type: "BombExploded", clockMs: 9_000, payload: { bombSite: "A" } },
            ],
          },
        ],
      })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE cs2_game_events SET observed_at = NULL WHERE match_number = ${entityNumber} AND ordinal = 3`
      const { rows } = yield* (yield* GameArchive).events({ matchNumber: entityNumber, mapNumber: 1 }, {}, page)
      const fields = [
        "id",
        "eventId",
        "type",
        "eventType",
        "source",
        "bombSite",
        "tPlayers",
        "ctPlayers",
        "observedAt",
        "playerName",
        "playerNick",
      ] as const
      for (const row of rows) for (const field of fields) assert.isNotNull(row[field], `${row.type}.${field}`)
      assert.deepStrictEqual(
        rows.map(({ bombSite, ctPlayers, observedAt, playerNick, round, tPlayers }) => [
          round,
          bombSite,
          ctPlayers,
          tPlayers,
          playerNick,
          Date.parse(observedAt) - (today - 20 * DAY),
        ]),
        [
          [1, "", 5, 5, "", 60_000],
          [null, "", 5, 4, "p1", 62_000],
          [null, "A", 0, 0, "", 9_000],
        ],
      )
    }),
  )
}

const on = (driver: AnyDatabase) =>
  Layer.mergeAll(
    ArchiveWriter.layer,
    Changelog.layer,
    EventArchive.layer,
    EventPrizes.layer,
    Freshness.layer,
    GameArchive.layer,
    RankingWriter.layer,
    TeamArchive.layer,
  ).pipe(Layer.provide(Migrations.layer), Layer.provideMerge(driver))

onDatabaseOfRun((database, driver) => layer(on(driver), { timeout: "2 minutes" })(`Event tables on ${database}`, suite))
