import { assert, describe, it } from "@effect/vitest"
import { measureStartOnce } from "./measure.ts"

describe.skipIf(process.platform !== "linux")("start", () => {
  it("measures a start until its answers are complete", async () => {
    const { complete, completeCpu, firstAnswer, liveCpu, requests } = await measureStartOnce(2, undefined)
    assert.isAtLeast(complete, firstAnswer)
    assert.isAtLeast(completeCpu, liveCpu)
    // The database alone takes more.
    assert.isAbove(liveCpu, 0.5)
    assert.isAbove(requests.count, 10)
    assert.isAtLeast(requests.worst, requests.p50)
  }, 300_000)
})
