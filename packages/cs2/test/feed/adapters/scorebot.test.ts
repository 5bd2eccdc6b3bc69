/**
 * The scorebot adapter: every kill appears once, no matter how often the log is sent, and the final scores and counts
 * equal those of the capture.
 */
import { assert, describe, it } from "@effect/vitest"
import { samples, textOf } from "@matchpoint/testing/recordedData"
import { Effect } from "effect"
import { inject } from "vitest"
import { messageOf } from "../../../src/feed/adapters/scorebot/messages.ts"
import { scorebot } from "../../../src/feed/adapters/scorebot/ScorebotAdapter.ts"
import { readScorebotCapture, scorebotRecording } from "../../../src/feed/adapters/scorebot/scorebotRecording.ts"
import { matchId } from "../../../src/rules/ids.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"
import { adapterLaws } from "./adapterLaws.ts"

const data = inject("dataDirectory")

const valuesOf = (text: string): ReadonlyArray<unknown> =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const recordedIn = (text: string) => readScorebotCapture(valuesOf(text)) ?? assert.fail("the capture shows no teams")

const play = (text: string) => [...scorebotRecording(recordedIn(text)).play(matchId(1))]

const counts = (state: MatchState) =>
  Object.fromEntries(state.players.map(({ nickname, tally }) => [nickname, [tally.kills, tally.deaths, tally.assists]]))

adapterLaws({ name: "scorebot laws, sample", adapter: scorebot, recorded: () => recordedIn(textOf(samples, "scorebot.ndjson")), runs: 40 })

describe("scorebot, sample", () => {
  it.effect("drops practice, restores a lost end from repeated entries and counts every kill once", () =>
    Effect.sync(() => {
      const steps = play(textOf(samples, "scorebot.ndjson"))
      assert.deepStrictEqual(
        steps.flatMap((step) => step.problems),
        [],
      )
      const state = steps.at(-1)?.state ?? assert.fail("no state")
      assert.deepStrictEqual(
        state.maps.map(({ name, rounds, score }) => [name, score, rounds.map(({ winType, winner }) => [winner, winType])]),
        [
          [
            "de_train",
            [2, 2],
            [
              ["CT", "elimination"],
              ["T", "bomb_exploded"],
              ["T", "elimination"],
              ["CT", "elimination"],
            ],
          ],
        ],
      )
      assert.deepStrictEqual(counts(state), { ana: [3, 1, 0], bob: [1, 2, 1], cleo: [2, 2, 0], dan: [1, 2, 0] })
    }),
  )

  it.effect("ends a round by the scoreboard if the log never does", () =>
    Effect.sync(() => {
      const values = valuesOf(textOf(samples, "scorebot.ndjson")).filter((value) => {
        const message = messageOf(value)
        // Leaves out the backlog that was sent after the reconnection.
        return !(message?.event === "log" && message.args.log.length > 12)
      })
      const recorded = readScorebotCapture(values) ?? assert.fail("the capture shows no teams")
      const state = [...scorebotRecording(recorded).play(matchId(1))].at(-1)?.state
      assert.deepStrictEqual(state?.maps[0]?.rounds.map(({ round, winType, winner }) => [round, winner, winType]).slice(2, 3), [
        [3, "T", "unknown"],
      ])
      assert.deepStrictEqual(state?.maps[0]?.score, [2, 2])
    }),
  )

  it.effect("reports malformed messages and unknown names", () =>
    Effect.sync(() => {
      const steps = play(textOf(samples, "scorebot.ndjson"))
      const state = steps.at(-2)?.state ?? assert.fail("no state")
      const memory = scorebot.initial(state)
      const strange = scorebot.step({ state, memory }, { at: 9e9, message: { event: "log", args: { log: [{ Dance: {} }] } } }, 9e9)
      assert.deepStrictEqual(
        strange.problems.map(({ code }) => code),
        ["malformed"],
      )
      const kill = {
        Kill: { killerName: "eve", killerSide: "CT", victimName: "dan", victimSide: "TERRORIST", weapon: "awp", headShot: false },
      }
      const unknown = scorebot.step({ state, memory }, { at: 9e9, message: { timestamp: 1, event: "log", args: { log: [kill] } } }, 9e9)
      assert.deepStrictEqual(
        unknown.problems.map(({ code }) => code),
        ["unknown_player"],
      )
      assert.deepStrictEqual(unknown.events, [])
    }),
  )

  it.effect("accepts the log as text, as the protocol sends it", () =>
    Effect.sync(() => {
      const text = textOf(samples, "scorebot.ndjson")
      const asText = valuesOf(text).map((value) => {
        const message = messageOf(value)
        return message?.event === "log" ? { ...message, args: JSON.stringify(message.args) } : value
      })
      const recorded = readScorebotCapture(asText) ?? assert.fail("the capture shows no teams")
      assert.deepStrictEqual([...scorebotRecording(recorded).play(matchId(1))].at(-1)?.state, play(text).at(-1)?.state)
    }),
  )
})

describe.skipIf(data === null)("scorebot, recorded capture", () => {
  const path = [data ?? "", "cs2", "scorebot", "envyus-vs-fnatic-2015.ndjson.gz"]

  it.effect("ends with the capture's score on every map and in the series", () =>
    Effect.sync(() => {
      const text = textOf(...path)
      const steps = play(text)
      assert.deepStrictEqual(
        steps.flatMap((step) => step.problems),
        [],
      )
      const state = steps.at(-1)?.state ?? assert.fail("no state")
      const last = valuesOf(text).findLast((value) => messageOf(value)?.event === "score")
      const said = JSON.stringify(last)
      // The score message has its own team numbers. The winner of the first map has 16 rounds there.
      const mapScores = [...said.matchAll(/"scores":\{"(\d+)":(\d+),"(\d+)":(\d+)\}/g)].map((match) => [Number(match[2]), Number(match[4])])
      assert.lengthOf(mapScores, 3)
      assert.deepStrictEqual(
        state.maps.map(({ score }) => [...score]),
        mapScores,
      )
      assert.deepInclude(state, { status: "completed", seriesScore: [1, 2], winner: 1 })
    }),
  )

  it.effect("agrees with the scoreboard after every round of the shown map without corrections", () =>
    Effect.sync(() => {
      const recorded = recordedIn(textOf(...path))
      const steps = play(textOf(...path))
      let compared = 0
      for (const [index, step] of steps.entries()) {
        for (const event of step.events) {
          if (event.type !== "PlayersReported") continue
          for (const report of event.payload.players) assert.doesNotHaveAnyKeys(report, ["kills", "deaths", "alive"])
        }
        const message = messageOf(recorded.inputs[index]?.input.message)
        const { round } = step.state
        if (message?.event !== "scoreboard" || round?.phase !== "over" || message.args.CT.length === 0) continue
        for (const shown of [...message.args.CT, ...message.args.TERRORIST]) {
          const player = step.state.players.find(({ id }) => id === `cs2-player-${shown.dbId}`)
          assert.deepStrictEqual([player?.tally.kills, player?.tally.deaths], [shown.score, shown.deaths])
          compared += 1
        }
      }
      assert.isAbove(compared, 1_000)
    }),
  )

  it.effect("reports fewer kills than the capture has entries, and none twice", () =>
    Effect.sync(() => {
      const entries = textOf(...path).match(/"Kill":/g)?.length ?? 0
      const kills = play(textOf(...path)).flatMap(({ events }) => events.filter(({ type }) => type === "PlayerKilled"))
      assert.isAbove(entries, 900)
      assert.isBelow(kills.length, 500)
      assert.strictEqual(new Set(kills.map(({ id }) => id)).size, kills.length)
    }),
  )

  if (data !== null) adapterLaws({ name: "laws, capture", adapter: scorebot, recorded: () => recordedIn(textOf(...path)), runs: 6 })
})
