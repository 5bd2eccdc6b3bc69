import { assert, describe, it } from "@effect/vitest"
import { ByteBlocks } from "../../src/stream/ByteBlocks.ts"

describe("ByteBlocks", () => {
  it("reserves bytes one after another, and a new block when the block is full", () => {
    const memory = new ByteBlocks(100)
    const reserved = [60, 40, 1].map((bytes) => ({ start: memory.reserve(bytes), block: memory.block }))
    assert.deepStrictEqual(
      reserved.map(({ start }) => start),
      [0, 60, 0],
    )
    assert.strictEqual(reserved[0]?.block, reserved[1]?.block)
    assert.notStrictEqual(reserved[1]?.block, reserved[2]?.block)
    assert.strictEqual(memory.block.length, 100)
  })

  it("gives more bytes than a block has a block of their size", () => {
    const memory = new ByteBlocks(100)
    memory.reserve(10)
    assert.strictEqual(memory.reserve(250), 0)
    assert.strictEqual(memory.block.length, 250)
    assert.strictEqual(memory.reserve(1), 0)
    assert.strictEqual(memory.block.length, 100)
  })
})
