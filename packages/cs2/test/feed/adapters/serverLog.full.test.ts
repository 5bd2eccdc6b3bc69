/**
 * Compares the log adapter with the logs' own numbers: the score line after every round, the statistics block before
 * every round, and the last line of the game.
 */
import { assert, describe, it } from "@effect/vitest"
import { filesIn, samples, textOf } from "@matchpoint/testing/recordedData"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { contextFrom } from "../../../src/feed/adapters/Adapter.ts"
import { createdEvent } from "../../../src/feed/adapters/Recording.ts"
import { parseLogLine } from "../../../src/feed/adapters/serverLog/logLine.ts"
import { logRecording, readServerLog } from "../../../src/feed/adapters/serverLog/logRecording.ts"
import { serverLog } from "../../../src/feed/adapters/serverLog/ServerLogAdapter.ts"
import { matchId, playerId } from "../../../src/rules/ids.ts"
import { clockSecondsAt, type MatchState } from "../../../src/rules/live/state.ts"
import { adapterLaws } from "./adapterLaws.ts"

const data = inject("dataDirectory")
const match = matchId(1)

/** Returns the state after each second of the log, with the lines of that second. */
const play = (text: string) => {
  const recorded = readServerLog(text)
  const steps = [...logRecording(recorded).play(match)]
  return recorded.inputs.map(({ input }, index) => {
    const step = steps[index]
    if (step === undefined) throw new Error("a recording has a step for each input")
    return { lines: input, ...step }
  })
}

const finalState = (text: string): MatchState => {
  const last = play(text).at(-1)
  if (last === undefined) throw new Error("the log is empty")
  return last.state
}

/** Returns the score as [CT, T], as in a log. */
const scoreNow = (state: MatchState) => {
  const map = state.maps.at(-1)
  const ct = state.round?.ctTeam ?? 0
  return [map?.score[ct], map?.score[ct === 0 ? 1 : 0]]
}

adapterLaws({ name: "serverLog laws, sample", adapter: serverLog, recorded: () => readServerLog(textOf(samples, "server.log")), runs: 40 })

describe("serverLog, sample", () => {
  it.effect("ignores warmup and knife round and ends with the log's score", () =>
    Effect.sync(() => {
      const steps = play(textOf(samples, "server.log"))
      const { state } = steps.at(-1) ?? assert.fail("no steps")
      assert.deepStrictEqual(
        steps.flatMap((step) => step.problems),
        [],
      )
      assert.deepInclude(state, { status: "completed", winner: 0 })
      const [map] = state.maps
      assert.deepStrictEqual(map?.score, [2, 1])
      assert.deepStrictEqual(
        map?.rounds.map((round) => [round.winner, round.winType]),
        [
          ["T", "elimination"],
          ["CT", "bomb_defused"],
          ["CT", "elimination"],
        ],
      )
    }),
  )

  it.effect("counts kills, assists, falls and leaving like the game", () =>
    Effect.sync(() => {
      const lines = finalState(textOf(samples, "server.log")).maps[0]?.lines
      const counts = lines?.map(({ assists, damage, deaths, flashAssists, headshots, kills, nickname }) => {
        return [nickname, kills, deaths, assists, flashAssists, headshots, damage]
      })
      assert.sameDeepMembers(counts ?? [], [
        ["ana", 0, 1, 0, 0, 0, 0],
        ["bob", 1, 1, 0, 0, 1, 100],
        ["cleo", 1, 0, 1, 1, 0, 123],
        // His fall in round three costs one kill.
        ["dan", 0, 2, 0, 0, 1, 77],
      ])
    }),
  )

  it.effect("reports the bomb, the defuser, pauses and equipment", () =>
    Effect.sync(() => {
      const events = play(textOf(samples, "server.log")).flatMap((step) => step.events)
      const payloads = (type: string) => events.filter((event) => event.type === type).map((event) => event.payload)
      assert.deepStrictEqual(payloads("BombDefused"), [{ mapNumber: 1, round: 2, playerId: playerId(101) }])
      assert.deepStrictEqual(
        payloads("BombPlanted").map((payload) => ("site" in payload ? payload.site : undefined)),
        ["B", "A"],
      )
      assert.deepInclude(payloads("TimeoutCalled")[0], { kind: "tactical" })
      const equipped = events.flatMap((event) => (event.type === "PlayersReported" ? event.payload.players : []))
      assert.deepInclude(
        equipped.find((report) => report.equipmentValue !== undefined),
        { playerId: playerId(101), armor: 100, helmet: false, defuseKit: false, equipmentValue: 850, weapon: "usp_silencer" },
      )
    }),
  )
})

/** Splits the log into posts of one line. The result must not depend on the boundaries of posts. */
const lineByLine = (text: string) => {
  const recorded = readServerLog(text)
  const inputs = recorded.inputs.flatMap(({ at, input }) => input.map((line) => ({ at, input: [line] })))
  return [...logRecording({ ...recorded, inputs }).play(match)].at(-1)?.state.maps ?? []
}

const countsOf = (maps: MatchState["maps"]) =>
  maps.map(({ lines, rounds, score }) => ({
    score,
    rounds: rounds.map(({ round, winType, winner }) => [round, winner, winType]),
    lines: lines
      .map(({ assists, damage, deaths, headshots, kills, playerId: id }) => [id, kills, deaths, assists, headshots, damage])
      .sort(),
  }))

describe("serverLog, lines", () => {
  it.effect("gives the same counts when every line is a separate post", () =>
    Effect.sync(() => {
      const text = textOf(samples, "server.log")
      assert.deepStrictEqual(countsOf(lineByLine(text)), countsOf(finalState(text).maps))
    }),
  )

  it.effect("reads both time formats", () =>
    Effect.sync(() => {
      assert.strictEqual(parseLogLine("L 01/19/2026 - 18:55:38: Starting Freeze period")?.at, Date.UTC(2026, 0, 19, 18, 55, 38))
      assert.strictEqual(parseLogLine("01/19/2026 - 18:55:38.042 - Starting Freeze period")?.at, Date.UTC(2026, 0, 19, 18, 55, 38, 42))
      assert.isUndefined(parseLogLine("Starting Freeze period"))
    }),
  )

  it.effect("reads names with special characters", () =>
    Effect.sync(() => {
      const event = parseLogLine('L 01/19/2026 - 18:55:38: "a <b> "c" <1>é<7><[U:1:9]><CT>" money change 800-300 = $500 (tracked)')?.event
      assert.deepStrictEqual(event, { _tag: "Money", player: { name: 'a <b> "c" <1>é', id: playerId(9), side: "CT" }, money: 500 })
    }),
  )

  it.effect.prop(
    "adds no facts when a line is sent again, at once or later",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))],
    ([place, delay]) =>
      Effect.sync(() => {
        const text = textOf(samples, "server.log")
        const recorded = readServerLog(text)
        const index = place % recorded.inputs.length
        const lines = recorded.inputs[index]?.input ?? []
        const line = lines[place % Math.max(1, lines.length)] ?? ""
        const inputs = recorded.inputs.flatMap((entry, at) => {
          if (at !== index + delay) return [entry]
          // Without a delay, the line is in the same post; with a delay, in a separate one.
          if (delay > 0) return [entry, { at: entry.at, input: [line] }]
          return [{ ...entry, input: entry.input.flatMap((other) => (other === line ? [line, line] : [other])) }]
        })
        const state = [...logRecording({ ...recorded, inputs }).play(match)].at(-1)?.state
        assert.deepStrictEqual(state, finalState(text))
      }),
    { arbitrary: { runs: 60 } },
  )

  it.effect("corrects counts and money by the statistics block after lost lines", () =>
    Effect.sync(() => {
      const lossy = textOf(samples, "server.log")
        .split("\n")
        .filter((line) => !line.includes('killed "dan') && !line.includes("money change"))
        .join("\n")
      const dan = finalState(lossy).maps[0]?.lines.find(({ nickname }) => nickname === "dan")
      assert.deepStrictEqual([dan?.kills, dan?.deaths], [0, 2])
      const money = play(lossy)
        .find(({ state }) => state.round?.number === 2)
        ?.state.players.map(({ money }) => money)
      assert.sameMembers(money ?? [], [2400, 2700, 4450, 4150])
    }),
  )

  it.effect("reports malformed lines with their number and continues", () =>
    Effect.sync(() => {
      const recorded = readServerLog(textOf(samples, "server.log"))
      const created = [...logRecording(recorded).play(match)][0]?.state
      if (created === undefined) return assert.fail("no state")
      const line = '02/01/2026 - 18:00:00.000 - World triggered "Warmup_Start"'
      const step = serverLog.step(
        { state: created, memory: serverLog.initial(created) },
        ["\u0000garbage", "", line],
        Date.UTC(2026, 1, 1, 18),
      )
      assert.deepStrictEqual(step.problems, [
        { code: "malformed", message: "the line contains a NUL character, which cannot be stored", raw: "\u0000garbage", line: 1 },
      ])
      assert.strictEqual(step.ignored, 1)
    }),
  )

  it.effect("converts the server's local time to UTC", () =>
    Effect.sync(() => {
      const text = textOf(samples, "server.log")
      const recorded = readServerLog(text)
      const twoHours = 2 * 3_600_000
      const shifted = { ...recorded, inputs: recorded.inputs.map(({ at, input }) => ({ at: at - twoHours + 700, input })) }
      const last = [...logRecording(shifted).play(match)].at(-1)
      assert.deepStrictEqual(last?.state.maps[0]?.score, [2, 1])
      assert.strictEqual(last?.state.endedAt, (finalState(text).endedAt ?? 0) - twoHours)
    }),
  )
})

/** Returns the log up to the restore of a round, after which its score goes back. */
const untilRestore = (text: string): string => {
  const restored = text.search(/^.*command "mp_backup_restore_load_file /m)
  return restored === -1 ? text : text.slice(0, restored)
}

describe.skipIf(data === null)("serverLog, recorded logs", () => {
  const folder = [data ?? "", "cs2", "logs"]
  const files = data === null ? [] : filesIn(...folder)
  const logOf = (file: string) => untilRestore(textOf(...folder, file))

  it.effect.each(files)("%s ends every round with its own score", (file) =>
    Effect.sync(() => {
      const steps = play(logOf(file))
      const problems = steps.flatMap((step) => step.problems)
      assert.deepStrictEqual(problems, [])
      let checked = 0
      for (const { lines, state } of steps) {
        if (state.round === null) continue
        for (const line of lines) {
          const won = /SFUI_Notice_\w+" \(CT "(\d+)"\) \(T "(\d+)"\)/.exec(line)
          // A score line that is followed by a restart in the same second is no longer valid at the end of that second.
          const undone = lines.some((other) => other.includes('"Match_Start"'))
          if (won === null || undone) continue
          assert.deepStrictEqual(scoreNow(state), [Number(won[1]), Number(won[2])])
          checked += 1
        }
      }
      const over = /Game Over: .* score (\d+):(\d+) after/.exec(logOf(file))
      const last = steps.at(-1)?.state ?? assert.fail("no state")
      assert.strictEqual(checked, last.maps[0]?.rounds.length)
      if (over === null) return
      assert.deepStrictEqual(scoreNow(last), [Number(over[1]), Number(over[2])])
      assert.strictEqual(last.status, "completed")
    }),
  )

  it.effect.each(files)("%s gives the same counts when every line is a separate post", (file) =>
    Effect.sync(() => {
      const text = logOf(file)
      assert.deepStrictEqual(countsOf(lineByLine(text)), countsOf(finalState(text).maps))
    }),
  )

  it.effect.each(files)("%s has no line without an outcome, and its parser knows every form", (file) =>
    Effect.sync(() => {
      const text = textOf(...folder, file)
      const recorded = readServerLog(text)
      const { created } = recorded
      let context = contextFrom(serverLog, [createdEvent(match, created, recorded.inputs[0]?.at ?? 0)]) ?? assert.fail("no match")
      for (const { at, input } of recorded.inputs) {
        const step = serverLog.step(context, input, at)
        context = step.context
        const { irrelevant, repeated, reported, understood } = step.lines ?? assert.fail("no counts")
        const counted = Object.values(irrelevant).reduce((sum, count) => sum + count, understood + repeated + reported)
        assert.strictEqual(counted, input.filter((line) => line.trim() !== "").length)
        assert.isAtLeast(reported, step.problems.length)
        if (reported > 0) assert.isNotEmpty(step.problems)
      }
      const unread = text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .filter((line) => (parseLogLine(line.trim())?.event._tag ?? "Unknown") === "Unknown")
      assert.deepStrictEqual(unread, [])
    }),
  )

  it.effect("-b: names, sides, players, knife round and clock are right up to the restore", () =>
    Effect.sync(() => {
      const text = logOf("server-2026-01-19-b.log.gz")
      const steps = play(text)
      const after = (time: string) =>
        steps.find(({ at }) => at >= Date.parse(`2026-01-19T${time}Z`)) ?? assert.fail(`nothing after ${time}`)
      const clock = (time: string) => {
        const { at, state } = after(time)
        return state.round === null ? null : clockSecondsAt(state.round, at)
      }
      // The freeze time of the first round starts twice. While the match is paused, its clock does not run.
      assert.deepStrictEqual([clock("19:15:37"), clock("19:16:26"), clock("19:16:32"), clock("19:16:33")], [20, 20, 20, 19])
      const side = (time: string) => after(time).state.teams[after(time).state.round?.ctTeam ?? 0].name
      // The knife round is over at 19:16:17, and nothing of it counts.
      assert.deepStrictEqual(after("19:16:17").state.maps[0]?.score, [0, 0])
      const begun = after("19:16:34").state
      assert.isTrue(
        begun.players.every(({ alive, connected, tally }) => alive && connected && tally.kills + tally.deaths + tally.damage === 0),
      )
      assert.deepStrictEqual([begun.round?.number, begun.round?.phase], [1, "live"])
      assert.sameMembers(
        begun.players.map(({ nickname }) => nickname),
        ["Wiethoofd", "Pattrick_36", "Czar", "Earthy_uwu", "Ic3wav3", "ThatGuyHS", "BlobenZ", "lolz1e", "nikksv", "sleepybeear"],
      )
      assert.deepStrictEqual(begun.unresolvedNames, [])
      assert.deepStrictEqual(
        [side("19:16:34"), side("19:21:24"), side("19:21:33")],
        ["rvls test team 1", "rvls test team 1", "rvls test 2"],
      )
      let rows = 0
      for (const { at, events, lines, state } of steps) {
        for (const { observedAt } of events) assert.strictEqual(observedAt, at)
        if (state.maps.length > 0)
          assert.lengthOf(
            state.players.filter(({ connected }) => connected),
            10,
          )
        if (lines.some((line) => line.endsWith('World triggered "Round_Start"')) && state.round !== null) {
          assert.strictEqual(clockSecondsAt(state.round, at), 115)
        }
        for (const line of lines) {
          const row = /"player_\d+" : "(.*)"/.exec(line)?.[1]?.split(",").map(Number)
          const player = state.players.find(({ id }) => id === `cs2-player-${row?.[0]}`)
          if (row === undefined || player === undefined || state.round === null) continue
          const { assists, damage, deaths, kills } = player.tally
          assert.deepStrictEqual([kills, deaths, assists, damage], row.slice(3, 7))
          assert.strictEqual(row[1] === 3, player.team === state.round.ctTeam)
          rows += 1
        }
      }
      assert.isAbove(rows, 140)
    }),
  )

  it.effect("agrees with every statistics block on kills, deaths, assists and damage without corrections", () =>
    Effect.sync(() => {
      const steps = play(textOf(...folder, "server-2026-01-19-a.log.gz"))
      let rows = 0
      for (const { events, lines, state } of steps) {
        for (const event of events) {
          if (event.type !== "PlayersReported") continue
          for (const report of event.payload.players) assert.doesNotHaveAnyKeys(report, ["kills", "deaths", "assists"])
        }
        if (state.round === null || state.status === "completed") continue
        for (const line of lines) {
          const row = /"player_\d+" : "(.*)"/.exec(line)?.[1]?.split(",").map(Number)
          const player = state.players.find(({ id }) => id === `cs2-player-${row?.[0]}`)
          if (row === undefined || player === undefined) continue
          const { assists, damage, deaths, kills } = player.tally
          assert.deepStrictEqual([kills, deaths, assists, damage], row.slice(3, 7))
          rows += 1
        }
      }
      assert.isAbove(rows, 140)
    }),
  )

  if (data !== null) {
    for (const file of files)
      adapterLaws({ name: `laws, ${file}`, adapter: serverLog, recorded: () => readServerLog(logOf(file)), runs: 6 })
  }
})
