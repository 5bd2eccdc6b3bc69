import { assert, it } from "@effect/vitest"
import { foldName, readings, spellings } from "../../src/names/foldName.ts"
import { otherGivenNames } from "../../src/names/givenNames.ts"

it("folds case, diacritics, apostrophes and punctuation", () => {
  for (const [name, folded] of [
    ["  Zoë O'Baker-Müller Jr. ", "zoe obaker muller jr"],
    ["ŁUKASZ Kubot", "lukasz kubot"],
    ["Søren Strauß", "soren strauss"],
    ["Đorđe ĐOKOVIĆ", "dorde dokovic"],
    ["Nguyễn Thị", "nguyen thi"],
    ["Jo‑Wilfried TSONGA", "jo wilfried tsonga"],
    ["İlhan ışık", "ilhan isik"],
    [" %_ ", ""],
    ["\ufb01ne", "fine"],
    ["李 娜", "李 娜"],
  ] as const) {
    assert.strictEqual(foldName(name), folded)
  }
})

it("transliterates Cyrillic and Greek as sport writes them in English", () => {
  for (const [name, folded] of [
    ["Новак Ђоковић", "novak djokovic"],
    ["Даниил Медведев", "daniil medvedev"],
    ["АНДРЕЙ РУБЛЁВ", "andrey rublev"],
    ["Мария Шарапова", "maria sharapova"],
    ["Дмитрий Турсунов", "dmitry tursunov"],
    ["Карен Хачанов", "karen khachanov"],
    ["Στέφανος Τσιτσιπάς", "stefanos tsitsipas"],
    ["ΜΑΡΙΑ ΣΑΚΚΑΡΗ", "maria sakkari"],
  ] as const) {
    assert.strictEqual(foldName(name), folded)
  }
})

it("spells out letters that are often written as two", () => {
  assert.deepStrictEqual(spellings("Görges"), ["gorges", "goerges"])
  assert.deepStrictEqual(spellings("Đoković"), ["dokovic", "djokovic"])
  assert.deepStrictEqual(spellings("Nadal"), ["nadal"])
  assert.deepStrictEqual(spellings("..."), [])
})

it("reads a text also with joined words", () => {
  assert.deepStrictEqual(readings("o connell"), [["o", "connell"], ["oconnell"]])
  assert.deepStrictEqual(readings("juan del potro"), [
    ["juan", "del", "potro"],
    ["juandel", "potro"],
    ["juan", "delpotro"],
  ])
  assert.deepStrictEqual(readings("%"), [])
})

it("has few and short readings of any text", () => {
  for (const text of [
    "a ".repeat(50_000),
    "ö".repeat(100_000),
    "x y z ö ä ü ß đ".repeat(5_000),
    "\u0301".repeat(10_000),
    "\u{1d504}".repeat(1_000),
  ]) {
    const found = readings(text)
    assert.isAtMost(found.length, 4)
    for (const words of found) {
      assert.isAtMost(words.length, 6)
      assert.isAtMost(words.join(" ").length, 256)
    }
  }
})

it("knows the other given names of a name", () => {
  assert.include(otherGivenNames("sascha"), "alexander")
  assert.include(otherGivenNames("alexander"), "sascha")
  assert.notInclude(otherGivenNames("sascha"), "sascha")
  assert.deepStrictEqual(otherGivenNames("novak"), [])
})
