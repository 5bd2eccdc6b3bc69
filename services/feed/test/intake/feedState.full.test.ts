/**
 * The organiser's view of a match's feeds: unknown names, rejected facts, last reports, and the round according to the
 * feed and to the match.
 */
import { assert, layer } from "@effect/vitest"
import { FEED_ROOT, FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { FeedState, Receipt } from "@matchpoint/cs2/contract/http/feed/Cs2FeedApi"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { finalTable } from "@matchpoint/cs2/feed/replay/summary"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import { MatchId } from "@matchpoint/domain/ids"
import { samples, textOf } from "@matchpoint/testing/recordedData"
import { writtenLog } from "@matchpoint/testing/writtenLog"
import { Effect, Result, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { inject } from "vitest"
import { recognize } from "../../src/replay/recognize.ts"
import { factsOf, feedToken, intakeServer, post } from "./intakeServer.ts"

/** The server of this suite uses real time. */
const wallClock = (): number => Date.now()

const data = inject("dataDirectory")
const ok = <S extends Schema.Constraint>(schema: S) => Schema.decodeUnknownEffect(Schema.Struct({ data: schema }))
const decodeState = ok(FeedState)
const decodeReceipt = ok(Receipt)
const decodeMatch = ok(Schema.Struct({ matchId: MatchId }))

const stateOf = Effect.fnUntraced(function* (matchId: string) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.get(`${FEED_ROOT}/matches/${matchId}`, { headers: { [FEED_TOKEN_HEADER]: feedToken } })
  const response = yield* client.execute(request)
  assert.strictEqual(response.status, 200)
  return (yield* decodeState(yield* response.json)).data
}, Effect.scoped)

const register = Effect.fnUntraced(function* (teams: ReadonlyArray<object>) {
  const { body, status } = yield* post("/matches", { bestOf: 1, teams })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return (yield* decodeMatch(body)).data.matchId
})

const receiptOf = Effect.fnUntraced(function* (path: string, content: unknown) {
  const { body, status } = yield* post(path, content)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return (yield* decodeReceipt(body)).data
})

const logOf = (names: readonly [string, string], rounds: number, hasPlayers = true) =>
  writtenLog({
    map: "de_nuke",
    names,
    rounds: Array.from({ length: rounds }, () => 0 as const),
    startsAt: Date.now() - rounds * 60_000,
    hasPlayers,
  })

layer(intakeServer(), { timeout: 120_000, excludeTestServices: true })("the state of a match's feeds", (it) => {
  it.effect("shows unknown team names in receipt and state until an alias resolves them", () =>
    Effect.gen(function* () {
      const matchId = yield* register([{ name: "Alpha" }, { name: "Beta" }])
      const posts = logOf(["rvls test team 1", "rvls test team 2"], 13)
      const [first, ...rest] = posts.map(({ lines }) => lines.join("\n"))
      const receipt = yield* receiptOf(`/matches/${matchId}/log`, first)
      assert.deepStrictEqual(
        receipt.unresolvedNames?.map(({ name }) => name),
        ["rvls test team 1", "rvls test team 2"],
      )
      for (const text of rest) yield* receiptOf(`/matches/${matchId}/log`, text)
      const before = yield* stateOf(matchId)
      assert.deepStrictEqual(
        before.unresolvedNames.map(({ name, teamId }) => [name, teamId]),
        [
          ["rvls test team 1", before.teams[0].id],
          ["rvls test team 2", before.teams[1].id],
        ],
      )
      assert.deepStrictEqual([before.status, before.current?.score], ["completed", [13, 0]])

      // The assumed assignment was wrong.
      const resolved = yield* receiptOf(`/matches/${matchId}/aliases`, [{ team: 2, name: "rvls test team 1" }])
      assert.deepStrictEqual([resolved.accepted, resolved.unresolvedNames], [1, undefined])
      const after = yield* stateOf(matchId)
      assert.deepStrictEqual([after.unresolvedNames, after.current?.score, after.teams[1].aliases], [[], [0, 13], ["rvls test team 1"]])
      assert.strictEqual((yield* receiptOf(`/matches/${matchId}/aliases`, [{ team: 2, name: "rvls test team 1" }])).accepted, 0)
      assert.deepStrictEqual((yield* factsOf(matchId)).at(-1)?.type, "TeamAliased")
    }),
  )

  it.effect("identifies the teams by an alias given at registration", () =>
    Effect.gen(function* () {
      const matchId = yield* register([{ name: "Alpha" }, { name: "Beta", aliases: ["rvls test team 1"] }])
      for (const { lines } of logOf(["rvls test team 1", "rvls test team 2"], 2, false)) {
        const receipt = yield* receiptOf(`/matches/${matchId}/log`, lines.join("\n"))
        assert.isUndefined(receipt.unresolvedNames)
      }
      assert.deepStrictEqual((yield* stateOf(matchId)).current?.score, [0, 2])
    }),
  )

  it.effect("shows last reports, rejected facts with reasons, and the round according to feed and match", () =>
    Effect.gen(function* () {
      const matchId = yield* register([{ name: "North" }, { name: "South" }])
      assert.deepInclude(yield* stateOf(matchId), { status: "scheduled", feeds: [], rejected: [], current: null })
      const startedAt = wallClock()
      const posts = logOf(["North", "South"], 3)
      for (const { lines } of posts.slice(0, -2)) yield* receiptOf(`/matches/${matchId}/log`, lines.join("\n"))
      yield* receiptOf(`/matches/${matchId}/log`, "nonsense")
      const events = [
        {
          id: "late",
          type: "RoundEnded",
          observedAt: wallClock(),
          payload: { mapNumber: 1, round: 1, winner: "CT", winType: "elimination" },
        },
      ]
      yield* receiptOf(`/matches/${matchId}/events`, events)
      const { current, feeds, rejected } = yield* stateOf(matchId)
      assert.deepInclude(current, { mapName: "de_nuke", round: 3, score: [2, 0] })
      const [main] = feeds
      assert.strictEqual(main?.source, "main")
      assert.isAtLeast(main?.lastReportAt ?? 0, startedAt)
      assert.deepStrictEqual([main?.reports, main?.rejected], [posts.length, 2])
      const { irrelevant, repeated, reported, understood } = main?.lines ?? assert.fail("no lines")
      const counted = Object.values(irrelevant).reduce((sum, count) => sum + count, understood + repeated + reported)
      assert.strictEqual(counted, posts.slice(0, -2).flatMap(({ lines }) => lines).length + 1)
      assert.deepStrictEqual([repeated, reported], [0, 1])
      assert.deepStrictEqual(
        rejected.map(({ code }) => code),
        ["late_round", "malformed"],
      )
      assert.include(rejected[0]?.message, "round 3 is in play")
      assert.deepStrictEqual(main?.shown, { mapName: null, round: 1 })
    }),
  )

  it.effect("requires the token and a registered match", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const ask = (path: string, token: string) =>
        Effect.map(
          client.execute(HttpClientRequest.get(`${FEED_ROOT}${path}`, { headers: { [FEED_TOKEN_HEADER]: token } })),
          ({ status }) => status,
        )
      const matchId = yield* register([{ name: "North" }, { name: "South" }])
      assert.strictEqual(yield* ask(`/matches/${matchId}`, "wrong"), 401)
      assert.strictEqual(yield* ask("/matches/cs2-match-999999", feedToken), 404)
      const { status } = yield* post(`/matches/${matchId}/aliases`, [{ team: 3, name: "x" }])
      assert.strictEqual(status, 400)
    }).pipe(Effect.scoped),
  )

  const files: ReadonlyArray<readonly [folder: string, file: string]> = [
    [samples, "server.log"],
    ...(data === null ? [] : [[`${data}/cs2/logs`, "server-2026-01-19-a.log.gz"] as const]),
  ]
  for (const [folder, file] of files) {
    it.effect(`${file} posted whole, in parts or line by line gives the table that replay prints, including round 1`, () =>
      Effect.gen(function* () {
        const text = textOf(folder, file)
        const recording = Result.getOrThrow(recognize([cs2Recordings], new TextEncoder().encode(text)))
        const printed = [...recording.play(MatchId.make("cs2-match-1"))].at(-1)?.table()
        const lines = text.split("\n")
        for (const size of [lines.length, 100, ...(lines.length < 1_000 ? [1] : [])]) {
          const matchId = yield* register(recording.created.teams.map(({ id, name }) => ({ id, name })))
          for (let from = 0; from < lines.length; from += size)
            yield* receiptOf(`/matches/${matchId}/log`, lines.slice(from, from + size).join("\n"))
          const state = foldAll(undefined, yield* factsOf(matchId)) ?? assert.fail("nothing was taken")
          assert.strictEqual(finalTable(state), printed, `${size} lines at a time`)
        }
      }),
    )
  }
})
