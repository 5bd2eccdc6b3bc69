import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

describe("a launched process", () => {
  it("creates no sampled spans, whose ids each record of the log would carry", async () => {
    const file = fileURLToPath(new URL("printSpan.ts", import.meta.url))
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [file], { timeout: 60_000 }, (_error, stdout) => resolve(stdout))
    })
    assert.strictEqual(printed, "not sampled")
  }, 90_000)
})
