import { assert, describe, it } from "vitest"
import { STREAMS_VERSION, streams } from "../../src/bus/subjects.ts"

const MB = 1024 * 1024

describe("streams", () => {
  it("have a new version with each change: change this test and STREAMS_VERSION together", () => {
    assert.deepEqual(
      { version: STREAMS_VERSION, streams: [...streams] },
      {
        version: 2,
        streams: [
          { name: "FEED", subjects: ["feed.*.*.*"], maxBytes: 512 * MB },
          { name: "LIVE", subjects: ["live.*.*.*"], maxBytes: 512 * MB, maxAgeMs: 12 * 3_600_000 },
          { name: "ENTRIES", subjects: ["entry.*.*.*"], maxBytes: 64 * MB },
          { name: "DIRECTORY", subjects: ["match.*.*"], maxBytes: 32 * MB },
          { name: "REJECTED", subjects: ["feed.rejected"], maxBytes: 32 * MB },
          { name: "ODDS", subjects: ["odds.*"], maxBytes: 32 * MB },
          { name: "HEALTH", subjects: ["health"], maxBytes: 64 * 1024 },
        ],
      },
    )
  })
})
