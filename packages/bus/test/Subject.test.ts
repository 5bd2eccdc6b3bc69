import { assert, it } from "@effect/vitest"
import { contains, isFilter, isRecordId, isSubject, matcher, overlaps } from "../src/Subject.ts"

const tokens = ["a", "b", "*"]
/** Every filter of up to three of these tokens, with and without a `>` at the end. Few enough to compare all pairs. */
const filters = [0, 1, 2, 3].flatMap((length) => {
  let rows: Array<Array<string>> = [[]]
  for (let i = 0; i < length; i++) rows = rows.flatMap((row) => tokens.map((token) => [...row, token]))
  return rows.flatMap((row) => [...(length === 0 ? [] : [row.join(".")]), [...row, ">"].join(".")])
})
const subjects = filters.filter((it) => !/[*>]/.test(it)).concat("a.a.a.a", "a.b.a.b", "c", "c.a", "a.c", "aa.b", "a.bb")

it("matches subjects like the token-by-token definition", () => {
  const defined = (filter: string, subject: string): boolean => {
    const want = filter.split(".")
    const have = subject.split(".")
    const rest = want.at(-1) === ">"
    const fixed = rest ? want.slice(0, -1) : want
    const long = rest ? have.length > fixed.length : have.length === fixed.length
    return long && fixed.every((token, i) => token === "*" || token === have[i])
  }
  for (const filter of filters) {
    const matches = matcher(filter)
    for (const subject of subjects) assert.strictEqual(matches(subject), defined(filter, subject), `${filter} ${subject}`)
  }
})

it("agrees on contains, overlaps and matching", () => {
  for (const left of filters) {
    for (const right of filters) {
      const both = subjects.some((subject) => matcher(left)(subject) && matcher(right)(subject))
      if (both) assert.isTrue(overlaps(left, right), `${left} ${right}`)
      assert.strictEqual(overlaps(left, right), overlaps(right, left), `${left} ${right}`)
      if (!contains(left, right)) continue
      for (const subject of subjects) {
        if (matcher(right)(subject)) assert.isTrue(matcher(left)(subject), `${left} contains ${right}: ${subject}`)
      }
    }
  }
})

it("recognizes subjects, filters and ids", () => {
  for (const subject of ["a", "feed.cs2.17", "feed.ö"]) assert.isTrue(isSubject(subject) && isFilter(subject), subject)
  for (const filter of ["*", ">", "a.*", "a.*.b", "a.>"]) assert.isTrue(isFilter(filter) && !isSubject(filter), filter)
  for (const wrong of ["", ".", "a.", ".a", "a..b", "a b", "a\tb", "a.>.b", "a*", "a.b>", "x".repeat(256)]) {
    assert.isFalse(isFilter(wrong), wrong)
  }
  for (const id of ["1", "match 17:1:5", "ünïcode"]) assert.isTrue(isRecordId(id), id)
  for (const id of ["", " a", "a ", "a\nb", "\ud800"]) assert.isFalse(isRecordId(id), id)
})
