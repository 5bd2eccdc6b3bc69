import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { SecretBox } from "../src/SecretBox.ts"

const [old, fresh, other] = ["old key", "fresh key", "other key"].map((text) => Redacted.make(text))
assert(old !== undefined && fresh !== undefined && other !== undefined)
const secret = Redacted.make("a secret")

describe("SecretBox", () => {
  it("decrypts what it has encrypted, and encrypts differently each time", () => {
    const box = new SecretBox([old])
    const sealed = box.seal("one", secret)
    assert.strictEqual(Redacted.value(box.open("one", sealed) ?? Redacted.make("")), "a secret")
    assert.notDeepEqual(sealed, box.seal("one", secret))
    assert.notInclude(Buffer.from(sealed).toString("latin1"), "secret")
  })

  it("decrypts with an old key after a rotation, and reports that the secret needs the new key", () => {
    const sealed = new SecretBox([old]).seal("one", secret)
    const rotated = new SecretBox([fresh, old])
    assert.strictEqual(Redacted.value(rotated.open("one", sealed) ?? Redacted.make("")), "a secret")
    assert.isFalse(rotated.isCurrent(sealed))
    assert.isTrue(rotated.isCurrent(rotated.seal("one", secret)))
  })

  it("does not decrypt for another subscription, with another key, or after a change of any byte", () => {
    const box = new SecretBox([old])
    const sealed = box.seal("one", secret)
    assert.isUndefined(box.open("two", sealed))
    assert.isUndefined(new SecretBox([other]).open("one", sealed))
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Uint8Array.from(sealed, (byte, place) => (place === index ? byte ^ 1 : byte))
      assert.isUndefined(box.open("one", changed), String(index))
    }
    for (let length = 0; length < sealed.length; length += 1) assert.isUndefined(box.open("one", sealed.subarray(0, length)))
  })
})
