import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { escapeUnprintable, PrintableText } from "../src/printableText.ts"

const isPrintable = Schema.is(PrintableText)

describe("printable text", () => {
  for (const text of ["", "Team Đoković", "名前", "🎾 one", "a  b"])
    it(`accepts ${JSON.stringify(text)}`, () => assert.isTrue(isPrintable(text)))
  for (const text of ["a\nb", "a\r", "\u001b[2K", "\t", "a\u2028b", "a\u0085b", "a\u202eb", "\u0000", "\ud800"]) {
    it(`rejects ${JSON.stringify(text)}`, () => assert.isFalse(isPrintable(text)))
  }

  it("escapes characters that could forge a row or change what is shown", () => {
    assert.strictEqual(escapeUnprintable("one\nacct_2  admin\u001b[2K\u202e"), "one\\u{a}acct_2  admin\\u{1b}[2K\\u{202e}")
    assert.strictEqual(escapeUnprintable("Đoković 🎾"), "Đoković 🎾")
  })
})
