/** Tests registrations of tennis matches. */
import { assert, describe, it } from "@effect/vitest"
import { gameName, matchIdOf } from "@matchpoint/domain/ids"
import { Result } from "effect"
import { tennisFeed } from "../../src/feed/intake/tennisFeed.ts"
import { simulatedTennis } from "../../src/feed/simulated/simulatedTennis.ts"
import { tennisRules } from "../../src/rules/live/tennisRules.ts"

const player = (name: string, id?: string) => ({ name, ...(id === undefined ? {} : { id }) })
const registration = {
  tour: "atp",
  tournament: { name: "Example Open" },
  sides: [{ players: [player("Able", "atp_1")] }, { players: [player("Baker")] }],
}

const openingOf = (content: unknown) =>
  Result.flatMap(tennisFeed.decodeRegistration(content), (decoded) => tennisFeed.opening(decoded, 1_000))

const refusal = (change: object): string => String(Result.getOrThrow(Result.flip(openingOf({ ...registration, ...change }))))

describe("the registration of a tennis match", () => {
  it("creates a match with defaults for what is unknown", () => {
    const { created, match } = Result.getOrThrow(openingOf(registration))
    assert.deepStrictEqual(match, { bestOf: 3, team1: { id: "atp_1", name: "Able" }, team2: { id: "Baker", name: "Baker" } })
    const step = tennisRules.fold(undefined, created(matchIdOf(gameName("tennis"), 1)))
    assert.deepInclude(step.state, { status: "scheduled", tour: "atp" })
    assert.deepInclude(step.state?.rules, { bestOf: 3, finalSet: "tie_break", doubles: false, noAd: false })
    assert.isNull(step.state?.tournament.editionId)
  })

  it("is rejected if its parts contradict each other", () => {
    const two = { players: [player("Able"), player("Baker")] }
    assert.include(refusal({ sides: [two, two] }), "one player")
    assert.include(refusal({ format: { doubles: true } }), "two players")
    assert.include(refusal({ format: { doubles: true }, sides: [two, two] }), "same name")
    const same = { players: [player("Able", "atp_1")] }
    assert.include(refusal({ sides: [same, { players: [player("Other", "atp_1")] }] }), "listed twice")
    assert.include(refusal({ tournament: { name: "X", editionId: "wta_2026-1" } }), "does not belong")
  })

  it("is rejected if a value is invalid", () => {
    for (const change of [
      { tour: "itf" },
      { tournament: {} },
      { tournament: { name: "X", surface: "Ice" } },
      { sides: [{ players: [player("Able", "able")] }, { players: [player("Baker")] }] },
      { format: { bestOf: 4 } },
    ]) {
      assert.isTrue(Result.isFailure(openingOf({ ...registration, ...change })), JSON.stringify(change))
    }
  })
})

describe("a simulated tennis match", () => {
  it("is generated again from its stored configuration", () => {
    const config = simulatedTennis.scheduled(1, 7, Date.UTC(2026, 5, 1))
    const { config: stored, ...match } = simulatedTennis.registrationOf(config)
    assert.deepStrictEqual(stored, { simulated: config })
    assert.lengthOf(simulatedTennis.participantsOf(config), 4)
    assert.strictEqual(match.team1.id, simulatedTennis.participantsOf(config).slice(0, 2).join("+"))
    const matchId = matchIdOf(gameName("tennis"), 1001)
    const text = () =>
      JSON.stringify([...simulatedTennis.factsOf({ matchId, config })].map(({ at }) => at({ observedAt: 1, receivedAt: 1 })))
    assert.strictEqual(text(), text())
    const cancelled = simulatedTennis.cancelled(matchId, { observedAt: 2, receivedAt: 2 })
    assert.strictEqual(cancelled.type, "Cancelled")
  })
})
