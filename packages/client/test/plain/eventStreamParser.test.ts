import { assert, describe, it } from "@effect/vitest"
import { eventStreamParser, MAX_EVENT_LENGTH } from "../../src/plain/eventStreamParser.ts"

const text = "\uFEFF: comment\r\nid: 7\r\nevent: ping\r\ndata: one\r\ndata:two\r\n\r\nretry: 5\n\ndata\n\nid: 8\rdata: three\r\r"
const events = [
  { data: "one\ntwo", id: "7" },
  { data: "", id: undefined },
  { data: "three", id: "8" },
]

describe("event streams", () => {
  it("are parsed with every kind of line break, wherever they are cut", () => {
    for (let cut = 0; cut <= text.length; cut++) {
      const parse = eventStreamParser()
      assert.deepStrictEqual([...parse(text.slice(0, cut)), ...parse(text.slice(cut)), ...parse("\n")], events, `cut at ${cut}`)
    }
  })

  it("may have a long line in many chunks", () => {
    const parse = eventStreamParser()
    const piece = "x".repeat(1_000)
    for (let count = 0; count < 1_000; count++) assert.isEmpty(parse(count === 0 ? `data: ${piece}` : piece))
    assert.deepStrictEqual(parse("\n\n"), [{ data: piece.repeat(1_000), id: undefined }])
  })

  it.each([
    ["a line without an end", "x"],
    ["lines of one event", "data\n"],
  ])("are bounded: %s", (_, part) => {
    const parse = eventStreamParser()
    const chunk = part.repeat(2 ** 20)
    assert.throws(() => {
      for (let length = 0; length <= 5 * MAX_EVENT_LENGTH; length += chunk.length) parse(chunk)
    }, /more than/)
  })

  it("of an event that is not complete, nothing is returned", () => {
    assert.isEmpty(eventStreamParser()("data: half\n"))
  })
})
