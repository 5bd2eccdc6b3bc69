/** Tests tennis players, matches and head-to-head records over HTTP: parameters, errors, conditional requests and plans. */
import { assert, it } from "@effect/vitest"
import { TennisSummaries } from "@matchpoint/tennis/archive/summaries/TennisSummaries"
import { TennisArchiveWriter } from "@matchpoint/tennis/archive/TennisArchiveWriter"
import { TennisHeadToHead, TennisMatrix } from "@matchpoint/tennis/contract/http/data/headToHeadModels"
import { TennisMatchDetail, TennisMatchStats } from "@matchpoint/tennis/contract/http/data/matchDetailModels"
import { TennisMatch } from "@matchpoint/tennis/contract/http/data/matchModels"
import { PlayerHit, TennisPlayer, TennisPlayerProfile } from "@matchpoint/tennis/contract/http/data/playerModels"
import { TennisPlayerStats } from "@matchpoint/tennis/contract/http/data/statisticsModels"
import { Effect, Layer, Schema } from "effect"
import { inject } from "vitest"
import { ABLE, FEDERER, HENIN, insertTennisPlayers, NADAL } from "../../../packages/tennis/test/archive/fixtures/tennisPlayersSample.ts"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const players = dataAs(Schema.Array(TennisPlayer))
const hits = dataAs(Schema.Array(PlayerHit))
const profile = dataAs(TennisPlayerProfile)
const stats = dataAs(TennisPlayerStats)
const matches = dataAs(Schema.Array(TennisMatch))
const detail = dataAs(TennisMatchDetail)
const matchStats = dataAs(TennisMatchStats)
const headToHead = dataAs(TennisHeadToHead)
const matrix = dataAs(TennisMatrix)

const failure = ({ error, status }: ArchiveResponse) => [status, error?.code]
const FINAL = "atp-tour-2008-540-127"

const insert = (now: number) =>
  insertTennisPlayers(now).pipe(Effect.provide(Layer.mergeAll(TennisArchiveWriter.layer, TennisSummaries.layer)), Effect.orDie)

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), insert))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`tennis players over HTTP on ${database}`, (it) => {
    it.effect("lists, finds and fetches players", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const list = yield* get("/tennis/players?tour=ATP&sort=rank&limit=2")
        assert.deepStrictEqual(
          players(list).map(({ current_rank, id }) => [id, current_rank]),
          [
            [FEDERER, 3],
            [ABLE, 40],
          ],
        )
        assert.deepStrictEqual([list.meta?.["total"], list.meta?.["hasNext"]], [4, true])
        assert.deepStrictEqual(
          players(yield* get("/tennis/players?q=nad&tour=atp")).map(({ id }) => id),
          [NADAL],
        )
        const search = yield* get("/tennis/players/search?q=queen%20of%20clay&limit=1000")
        assert.deepStrictEqual([hits(search)[0]?.id, hits(search)[0]?.match, search.meta?.["limit"]], [HENIN, "nickname", 50])
        const batch = yield* get(`/tennis/players/batch?ids=${NADAL},atp_1,${FEDERER},${NADAL}`)
        assert.deepStrictEqual(
          players(batch).map(({ id }) => id),
          [NADAL, FEDERER],
        )
        assert.deepStrictEqual(batch.meta?.["missing"], ["atp_1"])
        const { backhand, career, career_high, dob, hand } = profile(yield* get(`/tennis/players/${NADAL}`))
        assert.deepStrictEqual([backhand, hand, dob, career.titles, career_high?.rank], [null, "left", "1986-06-03", 3, 1])
      }),
    )

    it.effect("filters career statistics and the matches of a player", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const clay = stats(yield* get(`/tennis/players/${NADAL}/stats?surface=clay&level=g&year_from=2008&year_to=2008`))
        assert.deepStrictEqual([clay.wins, clay.losses, clay.titles], [1, 0, 1])
        const log = yield* get(
          `/tennis/players/${NADAL}/matches?surface=GRASS&round=f&level=G&circuit=tour&year=2008&opponent_id=${FEDERER}`,
        )
        assert.deepStrictEqual(
          matches(log).map(({ id }) => id),
          [FINAL],
        )
        const empty = yield* get(`/tennis/players/${NADAL}/matches?year=1990`)
        assert.deepStrictEqual([empty.status, empty.meta?.["total"]], [200, 0])
      }),
    )

    it.effect("serves match lists, one match and its statistics", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const all = yield* get("/tennis/matches?limit=5")
        assert.deepStrictEqual([matches(all).length, all.meta?.["total"]], [5, 14])
        const next = yield* get(`/tennis/matches?limit=5&cursor=${all.meta?.["nextCursor"]}`)
        assert.isTrue(matches(next).every(({ id }) => matches(all).every((other) => other.id !== id)))
        assert.strictEqual((yield* get("/tennis/matches?tournament=Wimbledon&tour=atp&round=SF")).meta?.["total"], 2)
        assert.strictEqual((yield* get("/tennis/matches/recent?tour=ATP")).meta?.["total"], 2)
        const results = (yield* get("/tennis/matches/completed?date=2008-06-23")).meta
        assert.deepStrictEqual([results?.["total"], results?.["matches_without_day"]], [0, 3])
        const one = detail(yield* get(`/tennis/matches/${FINAL}`))
        assert.deepStrictEqual([one.set_lines.length, one.statistics_reason, one.tournament.id], [5, "not_recorded", "atp_2008-540"])
        const box = matchStats(yield* get("/tennis/matches/atp-tour-2008-520-127/stats"))
        assert.deepStrictEqual([box.statistics?.winner.serve.aces, box.statistics?.loser.serve.aces], [10, 4])
      }),
    )

    it.effect("compares players", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const pair = headToHead(yield* get(`/tennis/h2h?player1_id=${FEDERER}&player2_id=${NADAL}`))
        assert.deepStrictEqual([pair.matches, pair.player1_wins, pair.player2_wins, pair.walkovers, pair.meetings.length], [4, 2, 2, 1, 5])
        assert.deepStrictEqual(pair.grand_slams, { player1_wins: 1, player2_wins: 2 })
        const grass = headToHead(yield* get(`/tennis/h2h?player1_id=${FEDERER}&player2_id=${NADAL}&surface=Grass&year_to=2007`))
        assert.deepStrictEqual(grass.by_year, [{ year: 2007, player1_wins: 1, player2_wins: 0 }])
        const table = yield* get(`/tennis/h2h/matrix?player_ids=${FEDERER},${NADAL},${ABLE},atp_77`)
        assert.deepStrictEqual(table.meta?.["missing"], ["atp_77"])
        assert.deepStrictEqual(
          matrix(table).players.map(({ career_high, id, losses, wins }) => [id, wins, losses, career_high]),
          [
            [FEDERER, 4, 2, 1],
            [NADAL, 3, 2, 1],
            [ABLE, 0, 3, 40],
          ],
        )
        assert.strictEqual(matrix(table).pairs.length, 3)
      }),
    )

    it.effect("rejects unknown values, ids and combinations", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const pair = `player1_id=${FEDERER}&player2_id=${NADAL}`
        for (const path of ["/tennis/matches", `/tennis/players/${NADAL}/stats`, `/tennis/players/${NADAL}/matches`, `/tennis/h2h`]) {
          const wrong = yield* get(`${path}?surface=mud&${path.endsWith("h2h") ? pair : ""}`)
          assert.deepStrictEqual(failure(wrong), [422, "UNKNOWN_VALUE"], path)
          assert.deepStrictEqual(wrong.error?.details, { parameter: "surface", value: "mud", valid: ["Carpet", "Clay", "Grass", "Hard"] })
        }
        const missing = ["/tennis/players/atp_1", "/tennis/players/atp_1/stats", "/tennis/players/atp_1/matches", "/tennis/matches/none"]
        for (const path of [...missing, "/tennis/matches/none/stats", `/tennis/h2h?player1_id=${FEDERER}&player2_id=atp_1`]) {
          assert.deepStrictEqual(failure(yield* get(path)), [404, "NOT_FOUND"], path)
        }
        const live = yield* get("/tennis/matches/tennis-match-1001")
        assert.deepStrictEqual([live.status, live.error?.message.includes("/tennis/matches/live/tennis-match-1001")], [404, true])
        const bad = [
          `/tennis/matches?opponent_id=${NADAL}`,
          "/tennis/matches?year=abc",
          "/tennis/matches?circuit=moon",
          "/tennis/matches/completed",
          "/tennis/matches/completed?date=2023-02-30",
          "/tennis/players?q=a",
          "/tennis/players?sort=age",
          "/tennis/players?cursor=abc",
          "/tennis/players/search",
          "/tennis/players/search?q=%20",
          "/tennis/players/batch",
          "/tennis/players/batch?ids=federer",
          `/tennis/players/batch?ids=${Array.from({ length: 51 }, (_, index) => `atp_${index}`).join()}`,
          "/tennis/players/federer",
          `/tennis/h2h?player1_id=${FEDERER}&player2_id=${FEDERER}`,
          `/tennis/h2h?${pair}&year_from=2010&year_to=2009`,
          `/tennis/h2h/matrix?player_ids=${FEDERER}`,
        ]
        for (const path of bad) assert.deepStrictEqual(failure(yield* get(path)), [400, "VALIDATION_ERROR"], path)
      }),
    )

    it.effect("answers 304 to the entity tag of an unchanged response", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const path of [
          `/tennis/players/${NADAL}`,
          "/tennis/matches?limit=3",
          `/tennis/h2h?player1_id=${FEDERER}&player2_id=${NADAL}`,
        ]) {
          const first = yield* get(path)
          const again = yield* get(path, "pro", { "if-none-match": first.headers.get("etag") ?? "" })
          assert.deepStrictEqual([first.status, again.status, again.text], [200, 304, ""], path)
        }
      }),
    )

    it.effect("limits plans with a short history to recent matches and lists", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        assert.deepStrictEqual(
          matches(yield* get("/tennis/matches", "free")).map(({ tournament }) => tournament.name),
          ["Gstaad", "Halle"],
        )
        const { career, career_high, current_rank } = profile(yield* get(`/tennis/players/${FEDERER}`, "free"))
        assert.deepStrictEqual([career.matches, career_high?.rank, current_rank?.rank], [1, 3, 3])
        const [row] = players(yield* get(`/tennis/players/batch?ids=${FEDERER}`, "free"))
        assert.deepStrictEqual([row?.matches, row?.titles, row?.career_high, row?.current_rank], [null, null, null, 3])
        assert.strictEqual(stats(yield* get(`/tennis/players/${NADAL}/stats`, "free")).matches, 1)
        assert.strictEqual(headToHead(yield* get(`/tennis/h2h?player1_id=${FEDERER}&player2_id=${NADAL}`, "free")).matches, 0)
        const table = matrix(yield* get(`/tennis/h2h/matrix?player_ids=${FEDERER},${NADAL},${ABLE}`, "free"))
        assert.deepStrictEqual(
          table.players.map(({ career_high: best, wins }) => [wins, best]),
          [
            [1, 3],
            [1, null],
            [0, 40],
          ],
        )
        const old = ["/tennis/matches?year=2008", "/tennis/matches/completed?date=2008-06-23", `/tennis/matches/${FINAL}`]
        for (const path of [...old, `/tennis/matches/${FINAL}/stats`, `/tennis/players/${NADAL}/stats?year_to=2008`]) {
          assert.deepStrictEqual(failure(yield* get(path, "free")), [403, "HISTORY_LIMIT"], path)
        }
      }),
    )
  })
}
