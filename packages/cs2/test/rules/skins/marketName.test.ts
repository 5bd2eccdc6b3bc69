import { assert, describe, it } from "@effect/vitest"
import { readMarketName } from "../../../src/rules/skins/marketName.ts"

const parts = (name: string) => {
  const { category, skinName, souvenir, statTrak, weapon, wear } = readMarketName(name)
  return [category, weapon, skinName, wear, statTrak, souvenir]
}

describe("readMarketName", () => {
  it("parses weapons, knives and gloves", () => {
    assert.deepStrictEqual(parts("Glock-18 | Snack Attack (Field-Tested)"), [
      "weapon",
      "Glock-18",
      "Snack Attack",
      "Field-Tested",
      false,
      false,
    ])
    assert.deepStrictEqual(parts("★ StatTrak™ Flip Knife | Gamma Doppler (Minimal Wear)"), [
      "knife",
      "Flip Knife",
      "Gamma Doppler",
      "Minimal Wear",
      true,
      false,
    ])
    assert.deepStrictEqual(parts("★ Karambit"), ["knife", "Karambit", null, null, false, false])
    assert.deepStrictEqual(parts("★ Hand Wraps | Giraffe (Factory New)"), ["gloves", "Hand Wraps", "Giraffe", "Factory New", false, false])
    assert.deepStrictEqual(parts("Souvenir AWP | Pit Viper (Well-Worn)"), ["weapon", "AWP", "Pit Viper", "Well-Worn", false, true])
    assert.deepStrictEqual(parts("StatTrak™ AK-47 | Redline (Battle-Scarred)"), [
      "weapon",
      "AK-47",
      "Redline",
      "Battle-Scarred",
      true,
      false,
    ])
  })

  it("recognises items without a weapon", () => {
    assert.deepStrictEqual(parts("Sticker | Natus Vincere (Holo) | Boston 2018"), ["sticker", null, null, null, false, false])
    assert.deepStrictEqual(parts("Prisma 2 Case"), ["container", null, null, null, false, false])
    assert.deepStrictEqual(parts("Katowice 2019 Mirage Souvenir Package"), ["container", null, null, null, false, false])
    assert.deepStrictEqual(parts("StatTrak™ Music Kit | Noisia, Sharpened"), ["music-kit", null, null, null, true, false])
    assert.deepStrictEqual(parts("Osiris | Elite Crew"), ["agent", null, null, null, false, false])
    assert.deepStrictEqual(parts("Name Tag"), ["other", null, null, null, false, false])
  })
})
