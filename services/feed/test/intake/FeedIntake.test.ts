/** The intake over HTTP: responses to senders, and the content of FEED and `feed.rejected` afterwards. */
import { assert, describe, layer } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { rejectedTotal } from "@matchpoint/bus/Rejections"
import { DIRECTORY, ODDS } from "@matchpoint/contracts/bus/subjects"
import { decodeMarketQuoted, oddsSubject } from "@matchpoint/cs2/contract/odds"
import { sheetsOf } from "@matchpoint/cs2/feed/adapters/teams"
import { playerId } from "@matchpoint/cs2/rules/ids"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { foldAll } from "@matchpoint/cs2/rules/live/fold"
import { competitiveRules } from "@matchpoint/cs2/rules/live/rules"
import { Matches } from "@matchpoint/store/live/Matches"
import { samples, textOf } from "@matchpoint/testing/recordedData"
import { Clock, Effect, Metric, Result, Stream } from "effect"
import { fact, failureIn, postsOf, receiptIn, register, registration, stamp } from "./intakeRequests.ts"
import { factsOf, feedToken, intakeServer, post, rejected } from "./intakeServer.ts"

// Real time, because the tests use real sockets and a real log.
const live = { excludeTestServices: true } as const

layer(intakeServer(), live)("FeedIntake", (it) => {
  describe("registering", () => {
    it.effect("creates a row, the first fact, an announcement and URLs for senders", () =>
      Effect.gen(function* () {
        const roster = [
          { steamId64: "76561197960266029", team: 1, nickname: "ana" },
          { playerId: "cs2-player-303", team: 2, nickname: "cleo" },
        ]
        const {
          eventsUrl,
          feedToken: token,
          gsiUrl,
          logUrl,
          matchId,
        } = yield* register({ ...registration, rules: { maxRounds: 16 }, roster })
        assert.match(logUrl, new RegExp(`^http://[^/]+/feed/v1/matches/${matchId}/log\\?token=${token}$`))
        assert.match(token, /^mp_feed_[\w-]{32}$/)
        assert.notStrictEqual(token, feedToken)
        assert.isTrue(gsiUrl.endsWith(`/feed/v1/matches/${matchId}/gsi`) && eventsUrl.endsWith(`/${matchId}/events`))
        const [created, ...more] = yield* factsOf(matchId)
        assert.lengthOf(more, 0)
        if (created?.type !== "MatchCreated") return assert.fail("the first fact creates the match")
        assert.deepStrictEqual(created.payload.rules, { ...competitiveRules, maxRounds: 16 })
        assert.deepStrictEqual(
          created.payload.roster?.map((entry) => entry.playerId),
          [playerId(301), playerId(303)],
        )
        const matches = yield* Matches
        const row = yield* matches.find(matchId)
        assert.deepInclude(
          row.pipe((found) => (found._tag === "Some" ? found.value : undefined)),
          { bestOf: 1, status: "scheduled" },
        )
        const log = yield* EventLog
        const announced = yield* log.last(DIRECTORY, `match.cs2.${matchId.slice("cs2-match-".length)}`)
        assert.strictEqual(announced._tag, "Some")
      }),
    )

    it.effect.each([
      ["no JSON", "{"],
      ["another shape", { bestOf: 1, teams: [{ name: "North" }] }],
      ["too many maps", { ...registration, bestOf: 10 }],
      ["an unknown field", { ...registration, veto: [] }],
      ["an unknown field of a team", { ...registration, teams: [{ name: "North", tag: "N" }, { name: "South" }] }],
      ["one team twice", { ...registration, teams: [{ name: "North" }, { name: "north" }] }],
      ["a player twice", { ...registration, roster: [1, 2].map((team) => ({ playerId: "cs2-player-1", team, nickname: "a" })) }],
      ["no player's SteamID", { ...registration, roster: [{ steamId64: "10000000000000000", team: 1, nickname: "a" }] }],
      ["a player without an id", { ...registration, roster: [{ team: 1, nickname: "a" }] }],
    ] as const)("rejects %s", ([, content]) =>
      Effect.gen(function* () {
        const before = (yield* rejected).length
        yield* failureIn(yield* post("/matches", content), 400, "VALIDATION_ERROR")
        assert.deepInclude((yield* rejected)[before], { code: "malformed", matchId: null })
      }),
    )
  })

  describe("text that cannot be stored", () => {
    it.effect.each([
      ["a team's name", { ...registration, teams: [{ name: "North" }, { name: "So\0uth" }] }, '["teams"][1]["name"]'],
      ["a lone surrogate", { ...registration, teams: [{ name: "No\ud800rth" }, { name: "South" }] }, '["teams"][0]["name"]'],
      ["an event's name", { ...registration, eventName: "Cup\0" }, '["eventName"]'],
      ["a logo", { ...registration, teams: [{ name: "North", logoUrl: "\0" }, { name: "South" }] }, '["teams"][0]["logoUrl"]'],
      [
        "a nickname",
        { ...registration, roster: [{ playerId: "cs2-player-1", team: 1, nickname: "a\udfff" }] },
        '["roster"][0]["nickname"]',
      ],
    ] as const)("refuses a registration with %s, and names the field", ([, content, path]) =>
      Effect.gen(function* () {
        const { details } = yield* failureIn(yield* post("/matches", content), 400, "VALIDATION_ERROR")
        assert.include(JSON.stringify(details), JSON.stringify(path).slice(1, -1))
      }),
    )

    it.effect("rejects facts, posts and quotes that contain it as a whole", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const joined = { playerId: "cs2-player-7", teamId: (yield* factsOf(matchId)).length, nickname: "x\0" }
        const wrong: ReadonlyArray<readonly [string, unknown]> = [
          [`/matches/${matchId}/events`, [fact("1", "PlayerJoined", joined)]],
          [`/matches/${matchId}/events`, [fact("1", "PlayerHurt\0", {})]],
          [`/matches/${matchId}/events`, [fact("1", "MapStarted", { "k\ud800": 1 })]],
          [`/matches/${matchId}/gsi`, { provider: { timestamp: 1 }, map: { name: "de_nuke", team_ct: { name: "N\0" } } }],
          [`/cs2/matches/${matchId}/events`, [fact("1", "PlayerJoined", joined)]],
          ["/odds", [{ source: "s", key: "k", kind: "series_winner", title: "t\0", teams: ["N", "S"], quote: {} }]],
        ]
        for (const [path, content] of wrong) {
          const { details } = yield* failureIn(yield* post(path, content), 400, "VALIDATION_ERROR")
          assert.include(JSON.stringify(details), "cannot be stored", path)
        }
        assert.lengthOf(yield* factsOf(matchId), 1)
      }),
    )

    it.effect("rejects a log line that contains it and names the line", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const [first = ""] = postsOf(textOf(samples, "server.log"))
        const lines = [...first.split("\n"), `${stamp(yield* Clock.currentTimeMillis)} - "a\0<3><[U:1:301]><CT>" say "hi"`]
        const { problems } = yield* receiptIn(yield* post(`/matches/${matchId}/log`, lines.join("\n")))
        assert.deepInclude(problems.at(-1), { code: "malformed", line: lines.length })
        assert.include(problems.at(-1)?.message ?? "", "NUL")
      }),
    )
  })

  describe("the token", () => {
    it.effect("is accepted in every place a sender can put it, and required on every path", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const path = `/matches/${matchId}/log`
        for (const headers of [{ "x-feed-token": feedToken }, { authorization: `Bearer ${feedToken}` }]) {
          assert.strictEqual((yield* post(path, "", headers)).status, 200)
        }
        assert.strictEqual((yield* post(`${path}?token=${feedToken}`, "", {})).status, 200)
        assert.strictEqual((yield* post(`/matches/${matchId}/gsi`, { auth: { token: feedToken } }, {})).status, 200)
        for (const end of ["log", "gsi", "events", "end"]) {
          yield* failureIn(yield* post(`/matches/${matchId}/${end}`, {}, {}), 401, "INVALID_FEED_TOKEN")
          yield* failureIn(yield* post(`/matches/${matchId}/${end}?token=wrong`, {}, {}), 401, "INVALID_FEED_TOKEN")
        }
        yield* failureIn(yield* post("/matches", registration, { "x-feed-token": `${feedToken}x` }), 401, "INVALID_FEED_TOKEN")
        yield* failureIn(yield* post(`/matches/${matchId}/gsi`, { auth: { token: "wrong" } }, {}), 401, "INVALID_FEED_TOKEN")
      }),
    )
  })

  describe("server logs", () => {
    it.effect("play a whole match into FEED, each post once however often it is sent", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        for (const text of postsOf(textOf(samples, "server.log"))) {
          const first = yield* receiptIn(yield* post(`/matches/${matchId}/log?token=${feedToken}`, text, {}))
          assert.deepStrictEqual(first.problems, [])
          const again = yield* receiptIn(yield* post(`/matches/${matchId}/log?token=${feedToken}`, text, {}))
          assert.strictEqual(again.accepted, 0)
        }
        const state = foldAll(undefined, yield* factsOf(matchId))
        assert.deepStrictEqual(state?.maps[0]?.score, [2, 1])
        assert.strictEqual(state?.status, "completed")
      }),
    )

    it.effect("report malformed lines to the sender and record them", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const lines = [
          '02/01/2026 - 18:00:00.000 - World triggered "Warmup_Start"',
          "garbage",
          ...Array.from({ length: 30 }, (_, n) => `noise ${n}`),
        ]
        const receipt = yield* receiptIn(yield* post(`/matches/${matchId}/log`, lines.join("\r\n")))
        assert.deepInclude(receipt, { accepted: 0, ignored: 1, problemCount: 31 })
        assert.lengthOf(receipt.problems, 20)
        assert.deepStrictEqual(receipt.problems[0], { code: "malformed", message: "not a line of a CS2 server log", line: 2 })
        assert.deepInclude((yield* rejected).at(-1), { matchId, code: "malformed", raw: "noise 29" })
      }),
    )

    it.effect("may come from a backup feed", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        for (const text of postsOf(textOf(samples, "server.log")).slice(0, 20)) yield* post(`/matches/${matchId}/log?source=backup`, text)
        const sources = new Set((yield* factsOf(matchId)).slice(1).map((event) => event.source))
        assert.deepStrictEqual([...sources], ["backup"])
        yield* failureIn(yield* post(`/matches/${matchId}/log?source=third`, "", { "x-feed-token": feedToken }), 400, "VALIDATION_ERROR")
      }),
    )
  })

  describe("game states", () => {
    it.effect("are accepted, or rejected without revealing the token", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const map = { mode: "competitive", name: "de_train", phase: "live", round: 0, team_ct: { score: 0 }, team_t: { score: 0 } }
        const content = { provider: { timestamp: 1 }, map, round: { phase: "live" }, auth: { token: feedToken } }
        const receipt = yield* receiptIn(yield* post(`/matches/${matchId}/gsi`, content, {}))
        assert.deepInclude(receipt, { accepted: 3, problemCount: 0 })
        const odd = { ...content, provider: { timestamp: 2 }, round: { phase: "tea" } }
        const { problems } = yield* receiptIn(yield* post(`/matches/${matchId}/gsi`, odd, {}))
        assert.include(JSON.stringify(problems), "round.phase")
        const record = (yield* rejected).at(-1)
        assert.deepInclude(record, { code: "malformed", matchId })
        assert.notInclude(JSON.stringify(record), feedToken)
        yield* failureIn(yield* post(`/matches/${matchId}/gsi?token=${feedToken}`, "no JSON", {}), 400, "VALIDATION_ERROR")
        yield* failureIn(yield* post(`/matches/${matchId}/gsi?token=${feedToken}`, "[1]", {}), 400, "VALIDATION_ERROR")
      }),
    )
  })

  describe("bodies of unknown senders", () => {
    it.effect("have a lower size limit, because they are read before the token is known", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const content = { auth: { token: feedToken }, filler: "x".repeat(300_000) }
        yield* failureIn(yield* post(`/matches/${matchId}/gsi`, content, {}), 413, "PAYLOAD_TOO_LARGE")
        yield* receiptIn(yield* post(`/matches/${matchId}/gsi`, content))
        // A wrong token outside the body is rejected, whatever the body contains.
        yield* failureIn(yield* post(`/matches/${matchId}/gsi?token=wrong`, content, {}), 401, "INVALID_FEED_TOKEN")
      }),
    )

    it.effect("are rejected with 400 if their JSON nests too deeply, like those of known senders", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const deep = `{"auth":{"token":"${feedToken}"},"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
        yield* failureIn(yield* post(`/matches/${matchId}/gsi`, deep, {}), 401, "INVALID_FEED_TOKEN")
        for (const path of ["/matches", `/matches/${matchId}/gsi`, `/matches/${matchId}/events`]) {
          const refused = yield* failureIn(yield* post(path, deep), 400, "VALIDATION_ERROR")
          assert.include(JSON.stringify(refused), "levels deep")
        }
      }),
    )
  })

  describe("facts", () => {
    const teams = sheetsOf("North", "South")
    const started = fact("a:map", "MapStarted", { mapNumber: 1, mapName: "de_mirage", ctTeamId: teams[0].id })

    it.effect("are accepted in order and checked like the match's fold", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const live = fact("a:live", "RoundLive", { mapNumber: 1, round: 1 })
        const early = fact("a:early", "RoundLive", { mapNumber: 1, round: 7 })
        const receipt = yield* receiptIn(yield* post(`/matches/${matchId}/events`, [started, live, live, early]))
        assert.deepInclude(receipt, { accepted: 2, ignored: 1, problemCount: 1 })
        assert.deepInclude(receipt.problems[0], { code: "early_round", line: 4 })
        // Repeated facts are recorded too, although the sender may ignore them.
        const refused = (yield* rejected).filter((one) => one.matchId === matchId)
        assert.deepStrictEqual(refused.map((one) => one.code).sort(), ["duplicate", "early_round"])
      }),
    )

    it.effect("that are sent again unchanged are counted and not recorded, unlike those with other content", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const duplicates = rejectedTotal("duplicate")
        assert.deepInclude(yield* receiptIn(yield* post(`/matches/${matchId}/events`, [started])), { accepted: 1, ignored: 0 })
        const before = (yield* Metric.value(duplicates)).count
        assert.deepInclude(yield* receiptIn(yield* post(`/matches/${matchId}/events`, [started])), { accepted: 0, ignored: 1 })
        const other = { ...started, payload: { ...started.payload, mapName: "de_nuke" } }
        assert.deepInclude(yield* receiptIn(yield* post(`/matches/${matchId}/events`, [other])), { accepted: 0, ignored: 1 })
        assert.strictEqual((yield* Metric.value(duplicates)).count, before + 2)
        const refused = (yield* rejected).filter((one) => one.matchId === matchId)
        assert.deepStrictEqual(
          refused.map(({ code, raw }) => [code, raw.includes("de_nuke")]),
          [["duplicate", true]],
        )
      }),
    )

    it.effect("of a backup feed are appended without being folded, so that the watchdog sees them", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const backup = { ...started, id: "b:map", source: "backup" }
        assert.deepInclude(yield* receiptIn(yield* post(`/matches/${matchId}/events`, [backup])), { accepted: 1, problemCount: 0 })
        // The main feed can still start the map.
        assert.deepInclude(yield* receiptIn(yield* post(`/matches/${matchId}/events`, [started])), { accepted: 1, problemCount: 0 })
        assert.deepStrictEqual(
          (yield* factsOf(matchId)).map((event) => [event.type, event.source]),
          [
            ["MatchCreated", "main"],
            ["MapStarted", "backup"],
            ["MapStarted", "main"],
          ],
        )
      }),
    )

    it.effect("are all rejected if one is invalid", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const strange = fact("a:x", "RoundLive", { mapNumber: "one", round: 1 })
        const error = yield* failureIn(yield* post(`/matches/${matchId}/events`, [started, strange]), 400, "VALIDATION_ERROR")
        assert.deepInclude(error.details, { line: 2 })
        assert.lengthOf(yield* factsOf(matchId), 1)
        for (const content of [
          {},
          [fact("a:y", "Nonsense", {})],
          [fact("bad id", "RoundLive", {})],
          [fact("a:z", "MatchCreated", {})],
          "[",
          [[]],
        ]) {
          yield* failureIn(yield* post(`/matches/${matchId}/events`, content), 400, "VALIDATION_ERROR")
        }
        assert.lengthOf(yield* factsOf(matchId), 1)
      }),
    )

    it.effect("from the future are rejected", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const later = { ...started, observedAt: (yield* Clock.currentTimeMillis) + 1e9 }
        const receipt = yield* receiptIn(yield* post(`/matches/${matchId}/events`, [later]))
        assert.deepInclude(receipt.problems[0], { code: "observed_in_future" })
      }),
    )

    it.effect("can end a match, once", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        yield* failureIn(yield* post(`/matches/${matchId}/end`, { reason: "bored" }), 400, "VALIDATION_ERROR")
        const end = { reason: "forfeit", winnerTeamId: teams[1].id }
        assert.strictEqual((yield* receiptIn(yield* post(`/matches/${matchId}/end`, end))).accepted, 1)
        assert.strictEqual((yield* receiptIn(yield* post(`/matches/${matchId}/end`, end))).accepted, 0)
        assert.deepInclude(foldAll(undefined, yield* factsOf(matchId)), { status: "completed", winner: 1, endReason: "forfeit" })
      }),
    )
  })

  describe("odds", () => {
    const quoted = (team1: number, more: object = {}) => ({
      source: "bookmaker",
      key: "market-1",
      kind: "series_winner",
      title: "North - South",
      teams: ["North", "South"],
      quote: { at: 1_795_000_000_000 + team1 * 10, team1, team2: 2.5, state: "open" },
      ...more,
    })

    it.effect("are accepted once each, and all rejected if one is invalid", () =>
      Effect.gen(function* () {
        const first = yield* post("/odds", [quoted(1.5), quoted(1.6), quoted(1.5)])
        assert.deepStrictEqual([first.status, first.body], [200, { success: true, data: { accepted: 2, ignored: 1 }, meta: {} }])
        yield* failureIn(yield* post("/odds", [quoted(1.7), quoted(1.8, { kind: "map_winner" })]), 400, "VALIDATION_ERROR")
        yield* failureIn(yield* post("/odds", [quoted(0.5)]), 400, "VALIDATION_ERROR")
        const log = yield* EventLog
        const kept = yield* Stream.runCollect(log.read(ODDS, oddsSubject, { _tag: "First" }))
        assert.deepStrictEqual(
          kept.map(({ data }) => Result.getOrThrow(decodeMarketQuoted(data)).quote.team1),
          [1.5, 1.6],
        )
      }),
    )
  })

  describe("unregistered matches", () => {
    it.effect.each(["cs2-match-999999", "cs2-match-0", "nonsense", "%00", `cs2-match-${"9".repeat(40)}`])("are unknown: %s", (id) =>
      Effect.gen(function* () {
        for (const [end, content] of [
          ["log", "L 01/19/2026 - 18:55:38: hello"],
          ["gsi", {}],
          ["events", []],
          ["end", { reason: "completed" }],
        ] as const) {
          yield* failureIn(yield* post(`/matches/${id}/${end}`, content), 404, "MATCH_NOT_FOUND")
        }
        assert.deepInclude((yield* rejected).at(-1), { code: "unknown_match" })
      }),
    )

    it.effect("and simulated ones are rejected by the intake", () =>
      Effect.gen(function* () {
        const matches = yield* Matches
        const [team1, team2] = sheetsOf("North", "South")
        const id = yield* matches.register(CS2, { bestOf: 1, team1, team2, config: { feed: "simulated" } })
        yield* failureIn(yield* post(`/matches/${id}/log`, ""), 404, "MATCH_NOT_FOUND")
      }),
    )
  })

  describe("bodies", () => {
    it.effect("above one megabyte are rejected", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const answer = yield* post(`/matches/${matchId}/log`, "x".repeat(1024 * 1024 + 1))
        yield* failureIn(answer, 413, "PAYLOAD_TOO_LARGE")
      }),
    )

    it.effect("of malformed text are rejected without a crash", () =>
      Effect.gen(function* () {
        const { matchId } = yield* register()
        const receipt = yield* receiptIn(yield* post(`/matches/${matchId}/log`, "\u0000\ufffd\u2028L 01/19/2026\n\n\n"))
        assert.strictEqual(receipt.problemCount, 1)
      }),
    )
  })
})
