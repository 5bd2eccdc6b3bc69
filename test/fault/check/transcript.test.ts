import { assert, describe, it } from "@effect/vitest"
import { MatchId } from "@matchpoint/domain/ids"
import { checkTranscript, type TranscriptEntry } from "./transcript.ts"

const matchId = MatchId.make("tennis-match-1001")
const open = (resumes: boolean): TranscriptEntry => ({ kind: "open", at: 0, target: 0, resumes })
const frame = (seq: number, more: { readonly at?: number; readonly epoch?: number } = {}): TranscriptEntry => ({
  kind: "frame",
  at: 1_000,
  matchId,
  epoch: 1,
  seq,
  publishedAt: 1_000,
  ...more,
})
const snapshot = (seq: number): TranscriptEntry => ({ kind: "snapshot", at: 1_000, matchId, epoch: 1, seq, publishedAt: 1_000 })
const range = (from: number, to: number) => ({ matchId, epoch: 1, from, to })
const resumed = (verdict: string, ...missing: ReadonlyArray<ReturnType<typeof range>>): TranscriptEntry => ({
  kind: "resumed",
  at: 1_000,
  verdict,
  missing,
})
const check = (...entries: ReadonlyArray<TranscriptEntry>) => checkTranscript("c", entries, 0)

describe("the check of a transcript", () => {
  it("accepts frames in order, and a resume that continues after the last one", () => {
    const report = check(open(false), snapshot(4), frame(5), frame(6), open(true), resumed("recovered"), frame(7))
    assert.deepStrictEqual(report.findings, [])
    assert.deepStrictEqual(report.verdicts, { recovered: 1 })
    assert.deepStrictEqual([report.frames, report.connects, report.announced], [3, 2, 0])
    assert.deepStrictEqual(report.places.get(matchId), { epoch: 1, seq: 7 })
  })

  it.each<readonly [string, ReadonlyArray<TranscriptEntry>, string]>([
    ["a lost frame", [snapshot(4), frame(6)], "1 frames before it are lost"],
    ["a frame that is lost at the beginning of a match", [frame(3)], "2 frames before it are lost"],
    ["a repeated frame", [snapshot(4), frame(5), frame(5)], "arrived twice"],
    ["a reordered frame", [snapshot(4), frame(5), frame(6), frame(5)], "arrived after 6"],
    ["a snapshot that goes back", [snapshot(4), frame(5), snapshot(4)], "is older than 5"],
    ["a new epoch", [snapshot(4), frame(1, { epoch: 2 })], "history was lost"],
    ["a frame of an old epoch", [snapshot(4), frame(1, { epoch: 2 }), frame(5)], "arrived after epoch 2"],
    ["an error", [{ kind: "error", at: 0, message: "no such room" }], "no such room"],
  ])("reports %s", (_, entries, problem) => {
    const { findings, violations } = check(open(false), ...entries)
    assert.isAtLeast(violations, 1)
    assert.include(findings.join("\n"), problem)
  })

  it("counts frames that were announced as missing, and reports the others", () => {
    const partial = check(open(false), snapshot(4), open(true), resumed("partial", range(5, 6)), snapshot(6), frame(7))
    assert.deepStrictEqual([partial.announced, partial.violations], [2, 0])
    const beyond = check(open(false), snapshot(4), { kind: "gap", at: 0, missing: [range(5, 6)] }, frame(8))
    assert.deepStrictEqual([beyond.announced, beyond.violations], [2, 1])
  })

  it("lets a snapshot jump after a reset, and only then", () => {
    const reset = check(open(false), snapshot(4), open(true), resumed("reset"), snapshot(9), frame(10))
    assert.deepStrictEqual([reset.announced, reset.violations], [5, 0])
    const silent = check(open(false), snapshot(4), open(true), resumed("recovered"), snapshot(9))
    assert.strictEqual(silent.violations, 5)
  })

  it("reports frames that arrive before the delay of the plan", () => {
    const entries = [open(false), frame(1, { at: 60_999 }), frame(2, { at: 61_000 })]
    const { findings, violations } = checkTranscript("c", entries, 60_000)
    assert.strictEqual(violations, 1)
    assert.include(findings[0] ?? "", "1:1 arrived 59999 ms after")
  })
})
