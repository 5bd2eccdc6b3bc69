/** Scoreboard invariants in every state of every recording, of simulated matches, and of logs with missing lines. */
import { assert, describe, it } from "@effect/vitest"
import { contextFrom } from "@matchpoint/cs2/feed/adapters/Adapter"
import { createdEvent } from "@matchpoint/cs2/feed/adapters/Recording"
import { serverLog } from "@matchpoint/cs2/feed/adapters/serverLog/ServerLogAdapter"
import { sheetsOf } from "@matchpoint/cs2/feed/adapters/teams"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { fold } from "@matchpoint/cs2/rules/live/fold"
import { violationOf } from "@matchpoint/cs2/rules/live/invariants"
import { competitiveRules, mapOutcome, type TeamIndex } from "@matchpoint/cs2/rules/live/rules"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { toFeedEvent } from "@matchpoint/cs2/simulator/timedFact"
import { filesIn, samples, textOf } from "@matchpoint/testing/recordedData"
import { writtenLog } from "@matchpoint/testing/writtenLog"
import { Result } from "effect"
import { inject } from "vitest"
import { recognize } from "../src/replay/recognize.ts"

const data = inject("dataDirectory")
const match = matchId(1)

/** Folds events and checks each state, both completely and by its changes. */
const checked = (events: Iterable<FeedEvent>): { readonly state: MatchState; readonly rejected: ReadonlyArray<string> } => {
  let state: MatchState | undefined
  const rejected: Array<string> = []
  for (const event of events) {
    const step = fold(state, event)
    if (step._tag === "Rejected") {
      if (step.rejection.code === "invariant") rejected.push(step.rejection.message)
      continue
    }
    assert.isUndefined(violationOf(step.state), `${event.type} ${event.id}`)
    state = step.state
  }
  return { state: state ?? assert.fail("nothing was folded"), rejected }
}

/** Counts deaths by cause, independently of the fold. */
const deathsOf = (events: ReadonlyArray<FeedEvent>, { players }: MatchState) => {
  const teamOf = new Map(players.map(({ id, team }) => [id, team]))
  let byEnemies = 0
  let falls = 0
  let others = 0
  for (const { payload, type } of events) {
    if (type !== "PlayerKilled" || payload.victimId === null) continue
    const { killerId, victimId, weapon } = payload
    if (killerId !== null && teamOf.get(killerId) !== teamOf.get(victimId)) byEnemies += 1
    else if (killerId === null && weapon === "world") falls += 1
    else if (killerId !== victimId || weapon !== "world") others += 1
  }
  return { byEnemies, falls, others }
}

const recordingOf = (...path: ReadonlyArray<string>): ReadonlyArray<FeedEvent> => {
  const recording = Result.getOrThrow(recognize([cs2Recordings], new TextEncoder().encode(textOf(...path))))
  const events: Array<FeedEvent> = [createdEvent(match, recording.created, recording.startedAt)]
  for (const step of recording.play(match)) events.push(...step.events)
  return events
}

const recordings = [
  ...filesIn(samples).map((file) => [samples, file] as const),
  ...(data === null
    ? []
    : ["logs", "matches", "scorebot", "gsi"].flatMap((folder) =>
        filesIn(data, "cs2", folder)
          .filter((file) => !file.endsWith(".md"))
          .map((file) => [`${data}/cs2/${folder}`, file] as const),
      )),
]

describe("invariants of the scoreboard", () => {
  it.each(recordings.map((path) => [path[1], path] as const))("hold in every state of %s", (_, path) => {
    assert.deepStrictEqual(checked(recordingOf(...path)).rejected, [])
  })

  it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    "hold in every state of the simulated match %i, where kills equal deaths",
    (seed) => {
      const events = [...simulateMatch({ seed, matchId: match, bestOf: 1 })].map((fact) =>
        toFeedEvent(fact, { observedAt: fact.offsetMs + 1, receivedAt: fact.offsetMs + 40 }),
      )
      const { rejected, state } = checked(events)
      assert.deepStrictEqual(rejected, [])
      const { byEnemies, falls, others } = deathsOf(events, state)
      const lines = state.maps[0]?.lines ?? []
      const sum = (field: "kills" | "deaths") => lines.reduce((total, line) => total + line[field], 0)
      assert.strictEqual(sum("deaths"), byEnemies + falls + others)
      assert.strictEqual(sum("kills"), byEnemies - falls)
    },
  )
})

/** Returns a generator of numbers from 0 to 1 from a seed. */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

/** Generates a close map, which often has overtimes. */
const closeMap = (next: () => number) => {
  const rounds: Array<TeamIndex> = []
  const score: [number, number] = [0, 0]
  while (mapOutcome(score, competitiveRules) === undefined) {
    const behind = score[0] <= score[1] ? 0 : 1
    const winner = next() < 0.6 ? behind : behind === 0 ? 1 : 0
    score[winner] += 1
    rounds.push(winner)
  }
  return { rounds, score }
}

describe("a server log over HTTP with missing posts or lines", () => {
  it.each(Array.from({ length: 60 }, (_, index) => index + 1))(
    "seed %i: no state violates an invariant, and the last one is what was played",
    (seed) => {
      const next = numbers(seed)
      const { rounds, score } = closeMap(next)
      const isNamed = next() < 0.5
      const posts = writtenLog({
        map: "de_nuke",
        names: isNamed ? ["North", "South"] : ["x", "y"],
        rounds,
        startsAt: Date.UTC(2026, 0, 1, 10),
        hasPlayers: !isNamed || next() < 0.5,
      })
      const byLine = next() < 0.5
      const isFirstLost = next() < 0.5
      const share = next() * 0.4
      const created = createdEvent(match, { bestOf: 1, teams: sheetsOf("North", "South"), rules: competitiveRules, roster: [] }, 0)
      let context = contextFrom(serverLog, [created]) ?? assert.fail("no match")
      const events: Array<FeedEvent> = [created]
      for (const post of posts) {
        if (post.round < rounds.length && ((isFirstLost && post.round === 1) || next() < share)) continue
        for (const lines of byLine ? post.lines.map((line) => [line]) : [post.lines]) {
          const step = serverLog.step(context, lines, post.at)
          context = step.context
          events.push(...step.events)
        }
      }
      const { rejected, state } = checked(events)
      assert.deepStrictEqual(rejected, [])
      assert.deepStrictEqual([state.status, state.maps[0]?.score], ["completed", score])
    },
  )
})
