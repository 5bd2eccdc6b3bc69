/**
 * Compares simulated matches with real CS2: 300 matches pass through the fold, and their totals are checked. The bounds
 * are wide; the numbers of real play are well inside them.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { options, type Played, play, Totals } from "./playedMatches.ts"

const totals = new Totals()
const rejections: Array<string> = []
const unfinished: Array<number> = []
const surprises: Array<string> = []

beforeAll(() => {
  for (let seed = 0; seed < 300; seed++) {
    const played = play(options(seed))
    rejections.push(...played.rejections)
    if (played.state.status !== "completed") unfinished.push(seed)
    surprises.push(...impossible(played))
    totals.add(played)
  }
})

const share = (part: number, whole: number) => part / whole
const within = (value: number, low: number, high: number) =>
  assert.isTrue(value >= low && value <= high, `${value} is not in ${low}..${high}`)

describe("300 simulated matches", () => {
  it("end, and contain no fact that the fold rejects", () => {
    assert.deepStrictEqual(rejections, [])
    assert.deepStrictEqual(unfinished, [])
  })

  it("contain no impossible events: no dead shooters, no negative health, armor or money", () => {
    assert.deepStrictEqual(surprises, [])
  })

  it("fill every field of the scoreboard", () => {
    const { state } = play(options(0))
    for (const player of state.players) {
      for (const field of ["name", "armor", "helmet", "defuseKit", "money", "equipmentValue"] as const) assert.isNotNull(player[field])
    }
    for (const team of state.teams) assert.isNotNull(team.timeoutsRemaining)
    for (const round of state.maps.flatMap((map) => map.rounds)) {
      assert.isNotNull(round.ctEquipment)
      assert.isNotNull(round.tEquipment)
    }
  })

  it("contain every way to win a round, overtimes, clutches and rare events", () => {
    for (const winType of ["elimination", "bomb_exploded", "bomb_defused", "time_expired"] as const) {
      within(share(totals.winTypes.get(winType) ?? 0, totals.rounds), 0.02, 0.75)
    }
    within(share(totals.overtimeMaps, totals.maps), 0.05, 0.25)
    within(share(totals.clutchesWon, totals.rounds), 0.05, 0.3)
    for (const type of ["TimeoutCalled", "PlayerLeft", "PlayerJoined", "MapRestarted", "BombDropped", "BombDefuseStarted"]) {
      assert.isAbove(totals.factTypes.get(type) ?? 0, 0, type)
    }
    for (const weapon of ["world", "planted_c4", "knife", "hegrenade", "inferno", "awp", "deagle"]) {
      assert.isAbove(totals.weapons.get(weapon) ?? 0, 0, weapon)
    }
    assert.isAbove(totals.aces, 0)
    assert.isAbove(totals.flashAssists, 0)
    assert.isAbove(totals.teamKills, 0)
    assert.isAbove(totals.wallbangs, 0)
    assert.isAbove(totals.smokeKills, 0)
  })

  it("have rounds and maps of realistic length", () => {
    within(totals.rounds / totals.maps, 16, 30)
    within(totals.roundMs / totals.rounds / 1000, 60, 120)
    within(totals.facts / totals.rounds, 40, 70)
  })

  it("are balanced between the sides", () => within(share(totals.ctWins, totals.rounds), 0.45, 0.56))

  it("have a realistic share of rounds with a bomb plant", () => within(share(totals.plants, totals.rounds), 0.45, 0.75))

  it("have realistic numbers of kills, headshots, damage, assists and trades", () => {
    within(totals.perRound(totals.kills), 0.6, 0.8)
    within(share(totals.headshots, totals.kills), 0.35, 0.6)
    within(totals.perRound(totals.damage), 65, 90)
    within(totals.perRound(totals.assists), 0.08, 0.25)
    within(share(totals.tradeKills, totals.kills), 0.1, 0.3)
    within(totals.perRound(totals.kastRounds), 0.6, 0.8)
  })

  it("favour the stronger team, but not in every match", () => {
    within(share(totals.strongerWon, totals.matches), 0.52, 0.9)
  })
})

/** Lists events that cannot happen in the game but that the fold accepts. */
function impossible({ facts }: Played): ReadonlyArray<string> {
  const found: Array<string> = []
  const dead = new Set<string>()
  const hp = new Map<string, number>()
  for (const { factId, payload, type } of facts) {
    if (type === "RoundStarted") {
      dead.clear()
      for (const player of payload.players ?? []) hp.set(player.playerId, 100)
    }
    if (type === "RoundStarted" || type === "PlayersReported") {
      for (const { money = 0, armor = 0, equipmentValue = 0, playerId } of payload.players ?? []) {
        if (money < 0 || money > 16_000 || armor < 0 || armor > 100 || equipmentValue < 0 || equipmentValue > 10_000) {
          found.push(`${factId}: ${playerId} has ${money} money, ${armor} armor, equipment for ${equipmentValue}`)
        }
      }
    }
    if (type === "PlayerHurt") {
      const left = (hp.get(payload.victimId) ?? 0) - payload.damage
      if (left < 0 || left !== payload.hpLeft || payload.damage < 1) found.push(`${factId}: ${payload.damage} damage leaves ${left}`)
      if (dead.has(payload.victimId)) found.push(`${factId}: ${payload.victimId} is hurt dead`)
      if (payload.attackerId !== null && dead.has(payload.attackerId)) found.push(`${factId}: ${payload.attackerId} shoots dead`)
      hp.set(payload.victimId, left)
    }
    if (type === "PlayerKilled" && payload.victimId !== null) {
      if (hp.get(payload.victimId) !== 0) found.push(`${factId}: ${payload.victimId} dies with ${hp.get(payload.victimId)} hp`)
      dead.add(payload.victimId)
    }
    const actor = type === "BombPlanted" || type === "BombDefused" || type === "BombPickedUp" ? payload.playerId : null
    if (actor !== null && dead.has(actor)) found.push(`${factId}: ${actor} is dead at ${type}`)
  }
  return found
}
