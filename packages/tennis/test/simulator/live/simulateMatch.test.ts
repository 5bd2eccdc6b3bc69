import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { gameName, type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import { ordinalOf } from "@matchpoint/simulator/simulatedFactId"
import { Schema } from "effect"
import { type ReportedEvent, ReportedEvent as ReportedEventSchema } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import { bestOfThree, type FinalSet, type MatchFormat } from "../../../src/rules/live/format.ts"
import { violationOf } from "../../../src/rules/live/invariants.ts"
import type { MatchState } from "../../../src/rules/live/state.ts"
import { GENERATOR_VERSION, type MatchOptions, simulateMatch } from "../../../src/simulator/live/simulateMatch.ts"
import { toFeedEvent } from "../../../src/simulator/live/timedFact.ts"
import { scheduledMatch } from "../../../src/simulator/live/world.ts"

const id = (n: number): MatchId => matchIdOf(gameName("tennis"), n)
const options = (n: number): MatchOptions => ({ ...scheduledMatch(1, n, 2026), matchId: id(n) })

const eventsOf = (of: MatchOptions): ReadonlyArray<ReportedEvent> =>
  [...simulateMatch(of)].map((fact) => toFeedEvent(fact, { observedAt: fact.offsetMs, receivedAt: fact.offsetMs }))

/** Folds a match. Fails if a fact is rejected or a state violates an invariant. */
const played = (of: MatchOptions): MatchState => {
  let state: MatchState | undefined
  for (const event of eventsOf(of)) {
    const step = fold(state, event)
    if (step._tag === "Rejected") return assert.fail(`${event.id}: ${step.rejection.message}`)
    assert.isUndefined(violationOf(step.state), event.id)
    state = step.state
  }
  return state ?? assert.fail("no match")
}

describe("simulated tennis matches", () => {
  it("have byte-identical facts for the same seed and different ones for another", () => {
    const text = (n: number) => JSON.stringify([...simulateMatch(options(n))])
    for (let n = 1; n <= 8; n++) assert.strictEqual(text(n), text(n))
    assert.notStrictEqual(text(1), text(3))
  })

  it("have the recorded facts of this generator version", () => {
    const digest = createHash("sha256")
    for (let n = 1; n <= 32; n++) for (const fact of simulateMatch(options(n))) digest.update(JSON.stringify(fact))
    // If this fails, the generator or the schedule has changed: raise GENERATOR_VERSION. Otherwise matches started before
    // an update continue with wrong facts.
    assert.deepStrictEqual(
      [GENERATOR_VERSION, digest.digest("hex")],
      [1, "c1af5ae6b72bde374458d298de72492bfe1829276adb5d6ba8285dc23d41900c"],
    )
  })

  it("resume after the n-th fact without a difference", () => {
    const all = [...simulateMatch(options(7))]
    for (const n of [0, 1, 2, 50, all.length - 1, all.length, all.length + 5]) {
      assert.deepStrictEqual([...simulateMatch(options(7)).drop(n)], all.slice(n))
    }
  })

  it("number their facts 1, 2, 3, ... in order of time", () => {
    for (let n = 1; n <= 20; n++) {
      let [ordinal, offset] = [0, 0]
      for (const { factId, offsetMs } of simulateMatch(options(n))) {
        ordinal += 1
        assert.strictEqual(ordinalOf(factId), ordinal)
        assert.isTrue(Number.isInteger(offsetMs) && offsetMs >= offset, factId)
        offset = offsetMs
      }
    }
  })

  it("consist of valid feed events", () => {
    const isReported = Schema.is(ReportedEventSchema)
    for (const event of eventsOf(options(7))) assert.isTrue(isReported(event), event.type)
  })

  it("end with a winner in every format and keep the invariants in every state", () => {
    const finalSets: ReadonlyArray<FinalSet> = ["tie_break", "tie_break_10", "advantage", "match_tie_break"]
    const formats = finalSets.flatMap((finalSet) =>
      ([1, 3, 5] as const).flatMap(
        (bestOf): ReadonlyArray<MatchFormat> => [
          { ...bestOfThree, bestOf, finalSet },
          { ...bestOfThree, bestOf, finalSet, noAd: true, doubles: true },
        ],
      ),
    )
    for (const [index, format] of formats.entries()) {
      // Matches 7 and 8 of a round are doubles.
      const match = options(format.doubles ? 7 : 1)
      const state = played({ ...match, seed: index, format })
      assert.strictEqual(state.status, "completed")
      assert.isNotNull(state.winner)
      assert.isTrue(state.countsEveryPoint)
    }
  })

  it("have plausible shares of service games held, aces, retirements and winners", () => {
    const totals = { atp: { games: 0, held: 0, points: 0, aces: 0 }, wta: { games: 0, held: 0, points: 0, aces: 0 } }
    const ends = new Map<string | null, number>()
    let better = 0
    let singles = 0
    for (let n = 1; n <= 400; n++) {
      const match = options(n)
      const state = played(match)
      ends.set(state.endReason, (ends.get(state.endReason) ?? 0) + 1)
      if (match.format.doubles || state.winner === null) continue
      const [one, two] = match.sides
      singles += 1
      if (one.serve + one.return > two.serve + two.return === (state.winner === 0)) better += 1
      for (const tally of state.tallies) {
        const of = totals[match.tour]
        of.games += tally.serviceGames
        of.held += tally.serviceGamesWon
        of.points += tally.servePoints
        of.aces += tally.aces
      }
    }
    const share = ({ games, held }: typeof totals.atp) => held / games
    assert.isTrue(share(totals.atp) > 0.76 && share(totals.atp) < 0.85, `ATP: ${share(totals.atp)}`)
    assert.isTrue(share(totals.wta) > 0.6 && share(totals.wta) < 0.7, `WTA: ${share(totals.wta)}`)
    assert.closeTo(totals.atp.aces / totals.atp.points, 0.085, 0.02)
    assert.closeTo(totals.wta.aces / totals.wta.points, 0.045, 0.015)
    const retired = ends.get("retired") ?? 0
    assert.isTrue(retired >= 2 && retired <= 20, `${retired} retirements`)
    assert.isAtMost(ends.get("walkover") ?? 0, 8)
    assert.isTrue(better / singles > 0.6 && better / singles < 0.85, `the better side wins ${better / singles}`)
  })

  it("have 32 different players in a round, and links to a simulated tournament", () => {
    for (const round of [0, 5]) {
      const matches = Array.from({ length: 16 }, (_, n) => scheduledMatch(1, 16 * round + n + 1, 2026))
      const ids = matches.flatMap(({ sides }) => sides.flatMap(({ players }) => players.map(({ id: player }) => player)))
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const { tour, tournament } of matches) {
        assert.match(tournament.name, /\(simulated\)$/)
        assert.strictEqual(tournament.editionId, `${tour}_2026-99900`)
      }
    }
  })
})
