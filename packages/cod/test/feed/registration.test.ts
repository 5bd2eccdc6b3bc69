/** Tests registrations of Call of Duty matches. */
import { assert, describe, it } from "@effect/vitest"
import { gameName, matchIdOf } from "@matchpoint/domain/ids"
import { Result } from "effect"
import { codFeed } from "../../src/feed/intake/codFeed.ts"
import { simulatedCod } from "../../src/feed/simulated/simulatedCod.ts"
import { codRules } from "../../src/rules/live/codRules.ts"

const team = (name: string, ...igns: ReadonlyArray<string>) => ({ name, players: igns.map((ign) => ({ ign })) })
const registration = {
  tournament: { name: "Example Major" },
  teams: [team("Example Kestrels", "Able", "Baker", "Çharlie", "Delta"), team("Example Wolves", "Echo", "Fox", "Golf", "Hotel")],
}

const openingOf = (content: unknown) => Result.flatMap(codFeed.decodeRegistration(content), (decoded) => codFeed.opening(decoded, 1_000))

const refusal = (change: object): string => String(Result.getOrThrow(Result.flip(openingOf({ ...registration, ...change }))))

describe("the registration of a Call of Duty match", () => {
  it("creates a match with defaults for what is unknown", () => {
    const { created, match } = Result.getOrThrow(openingOf(registration))
    assert.deepStrictEqual(match.team1, { id: "example-kestrels", name: "Example Kestrels" })
    const step = codRules.fold(undefined, created(matchIdOf(gameName("cod"), 1)))
    assert.deepInclude(step.state, { status: "scheduled", bestOf: 5, maps: [] })
    assert.strictEqual(step.state?.teams[0].players[2]?.id, "charlie")
  })

  it("is rejected if its parts contradict each other", () => {
    const [one, two] = registration.teams
    assert.include(refusal({ teams: [one, one] }), "listed twice")
    assert.include(refusal({ teams: [one, { ...two, slug: "example-kestrels" }] }), "against itself")
    assert.include(refusal({ teams: [team("X", "★", "b", "c", "d"), two] }), "no id can be made")
    const map = { name: "Quarry", mode: "snd" }
    assert.include(refusal({ bestOf: 1, maps: [map, map] }), "at most 1 maps")
  })

  it("is rejected if a value is invalid", () => {
    for (const change of [
      { bestOf: 4 },
      { tournament: {} },
      { teams: [team("X", "a", "b", "c"), team("Y", "e", "f", "g", "h")] },
      { maps: [{ name: "Quarry", mode: "domination" }] },
    ]) {
      assert.isTrue(Result.isFailure(openingOf({ ...registration, ...change })), JSON.stringify(change))
    }
  })
})

describe("a simulated Call of Duty match", () => {
  it("is generated again from its stored configuration", () => {
    const config = simulatedCod.scheduled(1, 7, Date.UTC(2026, 5, 1))
    const { config: stored, ...match } = simulatedCod.registrationOf(config)
    assert.deepInclude(stored, { simulated: config })
    // The schedule reads tournament and round from here.
    assert.nestedPropertyVal(stored, "tournament.round", "Round 2")
    assert.deepStrictEqual([match.team1.id, match.team2.id], [...simulatedCod.participantsOf(config)])
    const facts = simulatedCod.factsOf({ matchId: matchIdOf(gameName("cod"), 1001), config })
    assert.strictEqual([...facts][0]?.at({ observedAt: 1, receivedAt: 1 }).type, "MatchCreated")
  })
})
