/** Tests each definition at its limits. The importer of analyzed demos has the tests on whole recorded matches. */
import { assert, describe, it } from "@effect/vitest"
import { archivedGame } from "../../../src/rules/statistics/archivedGame.ts"
import { playerBuy, teamBuy } from "../../../src/rules/statistics/buyTypes.ts"
import { clutchesOf, clutchTally } from "../../../src/rules/statistics/clutches.ts"
import { healthTaken } from "../../../src/rules/statistics/damage.ts"
import { isDeathOf, isKillOf, killsOf, openingOf, TRADE_WINDOW_MS, tradesOf } from "../../../src/rules/statistics/duels.ts"
import { earnsKast } from "../../../src/rules/statistics/kast.ts"
import type { RoundRecord } from "../../../src/rules/statistics/MapRecord.ts"
import { actor, everybody, kill, mapOf, round, world } from "./rounds.ts"

const kast = (of: RoundRecord, player: string) => earnsKast(of, tradesOf(of), player)

describe("kills and deaths", () => {
  it("count against enemies only, and not while controlling a bot", () => {
    const enemy = kill(1, "a", "x")
    const mate = kill(2, "a", "b")
    const self = kill(3, "a", "a", { weapon: "hegrenade" })
    const asBot = kill(4, "a", "y", { killer: actor("a", { controlsBot: true }) })
    assert.deepStrictEqual(
      [enemy, mate, self, asBot].map((one) => isKillOf(one, "a")),
      [true, false, false, false],
    )
    assert.strictEqual(killsOf([enemy, mate, self, asBot], "a"), 1)
    assert.isTrue(isDeathOf(mate, "b"))
    assert.isTrue(isDeathOf(self, "a"))
    assert.isFalse(isDeathOf(kill(5, "x", "a", { victim: actor("a", { controlsBot: true }) }), "a"))
  })

  it("a fall subtracts a kill and is a death; leaving the game is neither", () => {
    const fall = kill(1, "world", "a")
    const leaving = kill(2, "a", "a", { weapon: "world" })
    assert.strictEqual(killsOf([fall], "a"), -1)
    assert.isTrue(isDeathOf(fall, "a"))
    assert.strictEqual(killsOf([leaving], "a"), 0)
    assert.isFalse(isDeathOf(leaving, "a"))
  })

  it("the first kill of an enemy is the opening duel, but not a fall, a team kill or the bomb", () => {
    const opening = kill(4, "x", "a")
    const before = [kill(1, "world", "y"), kill(2, "b", "c"), kill(3, "world", "z", { killer: world, weapon: "c4" })]
    assert.strictEqual(openingOf(round([...before, opening, kill(5, "a", "z")])), opening)
  })
})

describe("trades", () => {
  it("must be within the window, and are trade kills only of a team mate of the victim", () => {
    const first = kill(1_000, "x", "a")
    const inTime = kill(1_000 + TRADE_WINDOW_MS - 1, "b", "x")
    const late = kill(1_000 + TRADE_WINDOW_MS, "b", "x")
    assert.isTrue(tradesOf(round([first, inTime])).avenged.has(first))
    assert.isTrue(tradesOf(round([first, inTime])).kills.has(inTime))
    assert.strictEqual(tradesOf(round([first, late])).avenged.size, 0)
    // x is killed by a team mate. Its victim is avenged, but not by a team mate of the victim.
    const byMate = kill(2_000, "y", "x")
    assert.isTrue(tradesOf(round([first, byMate])).avenged.has(first))
    assert.strictEqual(tradesOf(round([first, byMate])).kills.size, 0)
  })
})

describe("KAST", () => {
  it("counts a round with a kill, an assist, survival or a traded death", () => {
    const fight = round([kill(1_000, "x", "a", { assister: actor("y") }), kill(2_000, "b", "x"), kill(9_000, "z", "b")])
    assert.deepStrictEqual(
      ["a", "b", "c", "x", "y", "z"].filter((player) => kast(fight, player)),
      ["a", "b", "c", "x", "y", "z"],
    )
    const untraded = round([kill(1_000, "x", "a")])
    assert.isFalse(kast(untraded, "a"))
  })

  it("counts a death by the own side as survival, but not a death by the bomb", () => {
    assert.isTrue(kast(round([kill(1, "b", "a")]), "a"))
    assert.isFalse(kast(round([kill(1, "world", "a", { weapon: "c4" })]), "a"))
  })
})

describe("clutches", () => {
  const down = (...killed: ReadonlyArray<readonly [at: number, killer: string, victim: string]>) => killed.map((one) => kill(...one))

  it("start with the last player alive, keep their number of opponents, and are won with the round", () => {
    const clutched = round(down([1, "x", "a"], [2, "x", "b"], [3, "c", "x"], [4, "c", "y"], [5, "c", "z"]))
    assert.deepStrictEqual(clutchesOf(clutched), [
      { player: "c", side: "CT", opponents: 3, won: true },
      { player: "z", side: "T", opponents: 1, won: false },
    ])
    assert.deepStrictEqual(clutchTally(clutchesOf(clutched).slice(0, 1)), { attempts: 1, won: 1, won1v1: 0, won1v2: 0, won1v3Plus: 1 })
  })

  it("do not start after the round, or for a side of one player", () => {
    const late = round(down([1, "x", "a"], [200_000, "x", "b"]))
    assert.deepStrictEqual(clutchesOf(late), [])
    const oneMan = round(down([1, "a", "x"]), { present: everybody().filter(({ player }) => player !== "b" && player !== "c") })
    assert.deepStrictEqual(clutchesOf(oneMan), [])
  })

  it("count players that replace a bot", () => {
    const bots = [...everybody().filter(({ player }) => player !== "c"), { player: null, side: "CT" as const }]
    // a dies, controls a bot and dies again: b is the last one alive.
    const asBot = [...down([1, "x", "a"]), kill(2, "x", "a", { victim: actor("a", { controlsBot: true }) })]
    assert.deepStrictEqual(
      clutchesOf(round(asBot, { present: bots })).map(({ player }) => player),
      ["b"],
    )
    // c returns and replaces the bot.
    const joined = down([1, "x", "c"], [2, "x", "a"])
    assert.deepStrictEqual(
      clutchesOf(round(joined, { present: bots })).map(({ player }) => player),
      ["b"],
    )
  })
})

describe("buy types", () => {
  const worth = (equipmentValue: number, left = 5_000) => ({ startMoney: left + 1_000, spent: 1_000, equipmentValue })
  const lost = round([], { winner: "T" })
  const of = (equipmentValue: number, left?: number, previous: RoundRecord | undefined = lost, now: Partial<RoundRecord> = {}) =>
    playerBuy({ round: round([], { number: 2, ...now }), previous }, "CT", worth(equipmentValue, left))

  it("change exactly at their thresholds", () => {
    assert.deepStrictEqual(
      [1_000, 1_001, 4_499, 4_500].map((value) => of(value)),
      ["eco", "half", "half", "full"],
    )
    assert.strictEqual(playerBuy({ round: round([]), previous: lost }, "T", worth(4_000)), "full")
    assert.deepStrictEqual(
      [400, 401].map((left) => of(3_000, left)),
      ["force", "half"],
    )
    assert.strictEqual(of(3_000, 0, round([], { winner: "CT" })), "half")
  })

  it("are pistol in the first round of a half of regulation, but not of overtime", () => {
    assert.strictEqual(playerBuy({ round: round([]), previous: undefined }, "CT", worth(6_000)), "pistol")
    assert.strictEqual(of(6_000, 0, lost, { number: 13, ct: 1 }), "pistol")
    assert.strictEqual(of(6_000, 0, lost, { number: 28, ct: 1, overtime: true }), "full")
  })

  it("of a team follow from the average, and are undefined if the economy of a player is unknown", () => {
    const at = { round: round([], { number: 2, present: everybody(worth(4_200, 100)) }), previous: lost }
    assert.deepStrictEqual(teamBuy(at, "CT"), { equipmentValue: 12_600, type: "force" })
    assert.deepStrictEqual(teamBuy(at, "T"), { equipmentValue: 12_600, type: "full" })
    assert.isUndefined(teamBuy({ round: round([]), previous: lost }, "CT"))
  })
})

describe("map statistics", () => {
  it("limit damage to the health that the victim had", () => {
    assert.deepStrictEqual([healthTaken(130, 100), healthTaken(40, 30), healthTaken(27, 100), healthTaken(10, 0)], [100, 30, 27, 0])
  })

  it("start a half when sides change and when overtime starts", () => {
    const rounds = [
      round([], { number: 1 }),
      round([], { number: 2, winner: "T" }),
      round([], { number: 3, ct: 1 }),
      round([], { number: 4, ct: 1, winner: "T" }),
      round([], { number: 5, ct: 1, overtime: true, winner: "T" }),
      round([], { number: 6, ct: 0, overtime: true }),
    ]
    const game = archivedGame(mapOf(rounds), 1)
    assert.deepStrictEqual(
      game.halves?.map(({ overtime, team1, team1Side, team2 }) => [team1Side, team1, team2, overtime]),
      [
        ["CT", 1, 1, false],
        ["T", 1, 1, false],
        ["T", 1, 0, true],
        ["CT", 1, 0, true],
      ],
    )
    assert.deepStrictEqual([game.score, game.winner], [[4, 2], 0])
  })

  it("leave unreported values undefined, and divide by all rounds of the map", () => {
    const reported = round([kill(1, "a", "x")])
    const game = archivedGame(mapOf([reported, round([], { number: 2, present: everybody().slice(1) })]), 1)
    assert.deepInclude(game.lines[0], { rounds: 2, kills: 1, kast: 0.5, adr: 0, damage: 0, economy: undefined })
    assert.deepInclude(game.lines[1], { rounds: 2 })
    // A record that starts with the third of four rounds.
    const late = archivedGame(mapOf([round([kill(1, "a", "x")], { number: 3 }), round([], { number: 4 })]), 1)
    assert.deepInclude(late.lines[0], { rounds: 4, kast: 0.5 })
    const unreported = archivedGame(mapOf([{ ...reported, damages: undefined, grenades: undefined }]), 1)
    assert.deepInclude(unreported.lines[0], { kills: 1, damage: undefined, adr: undefined, rating: undefined, utility: undefined })
    const withoutPlayers = archivedGame(mapOf([round([], { present: [] })]), 1)
    assert.deepStrictEqual(withoutPlayers.lines, [])
  })
})
