import { assert, describe, it } from "@effect/vitest"
import { measureResume } from "./measure.ts"
import { Transcript } from "./Transcript.ts"

const frame = (type: string, seq: number) =>
  `{"type":"cs2.live.${type}","publishedAt":"2026-11-21T10:00:00.000Z","position":${seq},"matchId":"cs2-match-1","epoch":1,"seq":${seq},"x":1}`

describe("resume", () => {
  it("detects lost and duplicate frames", () => {
    const transcript = new Transcript()
    for (const head of [frame("snapshot", 3), frame("update", 4), frame("delta", 5), frame("delta", 5), frame("update", 8)])
      transcript.take(head)
    assert.deepStrictEqual([transcript.frames, transcript.lost, transcript.duplicated], [4, 2, 1])
    assert.strictEqual(transcript.cursor?.seq, 8)
  })

  it("delivers every frame exactly once to reconnected clients, in both rooms and shapes", async () => {
    for (const room of ["match", "all"] as const) {
      const plan = { clients: 60, matches: 3, room, shapes: ["v1", "v2"] as const, rate: 50, bytes: 2_048, awaySeconds: 0.5, atOnce: 60 }
      const { returned, verified } = await measureResume(plan)
      assert.deepStrictEqual(returned.verdicts, { recovered: 60 })
      assert.deepStrictEqual({ ...verified, frames: 0 }, { frames: 0, lost: 0, duplicated: 0, behind: 0, gaps: 0, snapshots: 0 })
      assert.isAbove(verified.frames, 60)
    }
  }, 60_000)
})
