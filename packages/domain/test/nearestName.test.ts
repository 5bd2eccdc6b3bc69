import { assert, describe, it } from "vitest"
import { nearestName } from "../src/nearestName.ts"

const known = ["limit", "page", "tour", "from", "min_maps", "MATCHPOINT_LOG"]

describe("nearestName", () => {
  it.each([
    ["limt", "limit"],
    ["Limit", "limit"],
    ["minMaps", "min_maps"],
    ["pge", "page"],
    ["MATCHPOINT_LOGS", "MATCHPOINT_LOG"],
    ["colour", undefined],
    ["x", undefined],
    ["l".repeat(1_000), undefined],
  ])("of %s is %s", (name, nearest) => assert.strictEqual(nearestName(name, known), nearest))
})
