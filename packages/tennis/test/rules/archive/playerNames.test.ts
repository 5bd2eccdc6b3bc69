import { assert, it } from "@effect/vitest"
import { foldName } from "@matchpoint/domain/names/foldName"
import { nicknamedPlayers, playersByNickname } from "../../../src/rules/archive/nicknames.ts"
import { statisticsGap, statisticsGapOf } from "../../../src/rules/archive/statisticsGap.ts"

it("finds nicknames by the whole text or by a beginning of three letters", () => {
  assert.deepStrictEqual(playersByNickname(foldName("QUEEN OF CLAY").split(" ")), [{ tour: "wta", words: "justine henin", isWhole: true }])
  assert.deepStrictEqual(playersByNickname(foldName("djo").split(" ")), [{ tour: "atp", words: "novak djokovic", isWhole: false }])
  assert.deepStrictEqual(playersByNickname(foldName("fe").split(" ")), [])
  assert.strictEqual(playersByNickname(foldName("fed").split(" "))[0]?.words, "roger federer")
  assert.isTrue(playersByNickname(foldName("fed").split(" "))[0]?.isWhole)
})

it("has each nickname once", () => {
  const all = nicknamedPlayers.flatMap(({ nicknames }) => nicknames.map((nickname) => foldName(nickname)))
  assert.strictEqual(new Set(all).size, all.length)
})

it("states why statistics are missing", () => {
  const match = { tour: "atp", circuit: "tour", year: 1980, isWalkover: false } as const
  assert.strictEqual(statisticsGap(match), "before_statistics")
  assert.strictEqual(statisticsGap({ ...match, year: 1991 }), "not_recorded")
  assert.strictEqual(statisticsGap({ ...match, isWalkover: true }), "walkover")
  assert.strictEqual(statisticsGap({ ...match, circuit: "futures" }), "not_recorded_for_circuit")
  assert.strictEqual(statisticsGap({ ...match, tour: "wta", year: 2002 }), "before_statistics")
  assert.strictEqual(statisticsGapOf([]), "no_matches")
  assert.strictEqual(statisticsGapOf([match, { ...match, circuit: "futures" }]), "before_statistics")
  assert.strictEqual(statisticsGapOf([{ ...match, isWalkover: true }]), "walkover")
})
