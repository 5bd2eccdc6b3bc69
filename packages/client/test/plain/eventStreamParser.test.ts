import { assert, describe, it } from "@effect/vitest"
import { eventStreamParser } from "../../src/plain/eventStreamParser.ts"

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

  it("of an event that is not complete, nothing is returned", () => {
    assert.isEmpty(eventStreamParser()("data: half\n"))
  })
})
