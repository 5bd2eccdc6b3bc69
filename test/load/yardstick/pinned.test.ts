/** Checks that the workload of the yardstick has not changed: results of a changed one cannot be compared with earlier ones. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { EVENTS, events } from "./pinned/events.ts"
import { foldAll, writeAndRead } from "./pinned/work.ts"

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16)

describe("the workload of the yardstick", () => {
  it("is the same as when the reference was measured", () => {
    const folder = new URL("pinned/", import.meta.url)
    const files = readdirSync(folder).sort()
    expect(Object.fromEntries(files.map((file) => [file, digestOf(readFileSync(new URL(file, folder), "utf8"))]))).toEqual({
      "events.ts": "9ce76aea3399bd51",
      "fold.ts": "089dec6668732594",
      "receiver.ts": "dbb965b8a4fe7a68",
      "sends.ts": "7b8162e1ef8a6e21",
      "work.ts": "c7a572ce4b46cc2d",
    })
  })

  it("gives the same results", () => {
    const match = events(1)
    expect(match).toHaveLength(EVENTS)
    expect(digestOf(JSON.stringify(match))).toBe("ac2827865c562d31")
    expect(foldAll()).toBe(1_861_991)
    expect(writeAndRead()).toBe(11_836_345)
  })
})
