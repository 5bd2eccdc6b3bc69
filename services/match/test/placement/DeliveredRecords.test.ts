import { assert, describe, it } from "@effect/vitest"
import type { LogRecord } from "@matchpoint/bus/EventLog"
import { DeliveredRecords } from "../../src/placement/DeliveredRecords.ts"

const record = (subject: string, sequence: number): LogRecord => ({ subject, sequence, id: "", data: new Uint8Array(0), appendedAt: 0 })

describe("the delivered records of a partition", () => {
  it("are known from the first question on, by subject", () => {
    const delivered = new DeliveredRecords()
    delivered.add(record("one", 7))
    assert.isUndefined(delivered.after("one", 5, 7))
    assert.deepStrictEqual(delivered.after("one", 7, 7), [])
    for (const [subject, sequence] of [
      ["one", 8],
      ["two", 9],
      ["one", 10],
    ] as const)
      delivered.add(record(subject, sequence))
    assert.deepStrictEqual(delivered.after("one", 7, 10), [8, 10])
  })

  it("are forgotten up to the sequence of the newest question", () => {
    const delivered = new DeliveredRecords()
    delivered.after("one", 0, 0)
    for (let sequence = 1; sequence <= 4; sequence++) delivered.add(record("one", sequence))
    assert.deepStrictEqual(delivered.after("one", 2, 4), [3, 4])
    assert.isUndefined(delivered.after("one", 1, 4))
    assert.deepStrictEqual(delivered.after("one", 4, 4), [])
  })

  it("are unknown if more arrive than are kept", () => {
    const delivered = new DeliveredRecords()
    delivered.after("one", 0, 0)
    for (let sequence = 1; sequence <= 5_000; sequence++) delivered.add(record("one", sequence))
    assert.isUndefined(delivered.after("one", 0, 5_000))
    assert.deepStrictEqual(delivered.after("one", 5_000, 5_000), [])
  })

  it("are unknown after the match has ended", () => {
    const delivered = new DeliveredRecords()
    delivered.after("one", 0, 0)
    delivered.forget("one")
    delivered.add(record("one", 1))
    assert.isUndefined(delivered.after("one", 0, 1))
  })
})
