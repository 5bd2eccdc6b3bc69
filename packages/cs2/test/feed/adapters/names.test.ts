/** Tables and text functions that all adapters share. */
import { assert, describe, it } from "@effect/vitest"
import { fingerprint, fnv1a32 } from "@matchpoint/game/feed/fingerprint"
import { Effect } from "effect"
import { sheetsOf, teamIdOfName } from "../../../src/feed/adapters/teams.ts"
import { clipped, mapNameOf } from "../../../src/feed/adapters/text.ts"
import { priceOf, weaponOfGame, weaponPrinted } from "../../../src/feed/adapters/weapons.ts"

describe("adapters, names", () => {
  it.effect("hashes like FNV-1a", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(["", "a", "foobar"].map(fnv1a32), [0x811c9dc5, 0xe40c292c, 0xbf9cf968])
      assert.match(fingerprint("a line"), /^[0-9a-z]{8,14}$/)
      assert.notStrictEqual(fingerprint("a line"), fingerprint("a line "))
    }),
  )

  it.effect("gives a team one id for every spelling of its name, and two teams two ids", () =>
    Effect.sync(() => {
      assert.strictEqual(teamIdOfName("North"), teamIdOfName(" NORTH "))
      const [one, two] = sheetsOf("Team", "team")
      assert.notStrictEqual(one.id, two.id)
      assert.strictEqual(two.name, "team (2)")
      assert.deepStrictEqual(
        sheetsOf("", "").map(({ name }) => name),
        ["Team 1", "Team 2"],
      )
    }),
  )

  it.effect("normalizes names of weapons and maps", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(["weapon_ak47", "ak47", "knife_m9_bayonet", "wéird\nname"].map(weaponOfGame), [
        "ak47",
        "ak47",
        "knife_m9_bayonet",
        "w_ird_name",
      ])
      assert.deepStrictEqual(["AK-47", "M4A1-S", "World", "Zeus x27", "Bare Hands"].map(weaponPrinted), [
        "ak47",
        "m4a1_silencer",
        "world",
        "taser",
        "bare_hands",
      ])
      assert.deepStrictEqual(["awp", "knife", "nonsense"].map(priceOf), [4750, 0, 0])
      assert.deepStrictEqual(["workshop/123/de_Mirage", "de_dust2", "///"].map(mapNameOf), ["de_mirage", "de_dust2", "unknown"])
    }),
  )

  it.effect("shortens texts without splitting a character", () =>
    Effect.sync(() => {
      assert.strictEqual(clipped("a".repeat(200)).length, 120)
      assert.isTrue(clipped(`${"a".repeat(119)}\u{1f600}`).isWellFormed())
    }),
  )
})
