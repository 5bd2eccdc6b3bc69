/** Every image is well-formed and different from the others, whatever name is requested. */
import { assert, it } from "@effect/vitest"
import { mapCard, sidePicture, winKinds, winPicture } from "@matchpoint/cs2/edge/live/icons/signs"
import { svg } from "@matchpoint/cs2/edge/live/icons/svg"
import { drawnWeapons, weaponPicture } from "@matchpoint/cs2/edge/live/icons/weapons"
import { Effect } from "effect"

const isWhole = (text: string): boolean =>
  /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^<>]*>(<title>[^<>]+<\/title>).*<\/svg>$/s.test(text)

it.effect("draws a different icon for each weapon, and the generic one for unknown weapons", () =>
  Effect.sync(() => {
    const drawings = drawnWeapons.map((name) => svg(weaponPicture(name)))
    assert.isAbove(drawings.length, 40)
    assert.strictEqual(new Set(drawings).size, drawings.length)
    for (const text of drawings) {
      assert.isTrue(isWhole(text))
      assert.notMatch(text, /NaN|undefined|Infinity/)
    }
    assert.deepStrictEqual(weaponPicture("knife_m9_bayonet"), weaponPicture("knife"))
    assert.deepStrictEqual(weaponPicture("nobody_made_it"), weaponPicture("toString"))
  }),
)

it.effect("draws round results, sides and maps", () =>
  Effect.sync(() => {
    assert.sameMembers([...winKinds], ["bomb", "defuse", "elimination", "time", "surrender", "unknown"])
    for (const kind of winKinds) assert.isTrue(isWhole(svg(winPicture(kind) ?? assert.fail(kind))))
    for (const side of ["ct", "t"]) assert.isTrue(isWhole(svg(sidePicture(side) ?? assert.fail(side))))
    for (const name of ["constructor", "x"]) assert.deepStrictEqual([winPicture(name), sidePicture(name)], [undefined, undefined])
    assert.isTrue(isWhole(mapCard("de_mirage")))
    assert.include(mapCard("de_dust2"), ">dust2</text>")
    assert.notStrictEqual(mapCard("de_dust2"), mapCard("de_mirage"))
  }),
)
