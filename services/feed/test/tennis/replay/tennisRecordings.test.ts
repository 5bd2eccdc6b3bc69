/** Tests the replay of one match of a file of tennis point strings. */
import { assert, describe, it } from "@effect/vitest"
import { cs2Recordings } from "@matchpoint/cs2/feed/replay/cs2Recordings"
import { gameName, matchIdOf } from "@matchpoint/domain/ids"
import { internalTypes } from "@matchpoint/game/rules/feedEnvelope"
import { tennisFeed } from "@matchpoint/tennis/feed/intake/tennisFeed"
import { tennisRecordings } from "@matchpoint/tennis/feed/replay/tennisRecordings"
import type { ReportedEvent } from "@matchpoint/tennis/rules/live/feedEvents"
import { foldAll } from "@matchpoint/tennis/rules/live/fold"
import { scoreText } from "@matchpoint/tennis/rules/live/scores"
import { Result } from "effect"
import { recognize } from "../../../src/replay/recognize.ts"

const header = "pbp_id,tny_name,tour,draw,server1,server2,winner,pbp,score"
const love = (games: number) => "SSSS;RRRR;".repeat(games / 2)
const file = [
  header,
  `1,Example Open,ATP,Main,One,Two,1,${love(6)}.${love(6)},6-0 6-0`,
  `2,"Second, with a comma",WTA,Main,Three,Four,2,SSSS;ASDS;RR,2-0 RET`,
  `3,Cut,ATP,Main,Five,Six,1,SSSS;SS,6-0 6-0`,
].join("\n")

const bytes = new TextEncoder().encode(file)
const read = (number?: number) => recognize([cs2Recordings, tennisRecordings], bytes, number)
const recordingAt = (number?: number) => Result.getOrThrow(read(number))

/** Registers the match as the intake does, and folds its facts. */
const folded = (number?: number) => {
  const recording = recordingAt(number)
  const registration = Result.getOrThrow(tennisFeed.decodeRegistration(recording.registration))
  const id = matchIdOf(gameName("tennis"), 1001)
  const events = [...recording.play(id)].flatMap(({ events: of }) => of) as unknown as ReadonlyArray<ReportedEvent>
  assert.lengthOf(events, recording.length)
  for (const { type } of events) assert.isFalse(internalTypes.has(type), type)
  const created = Result.getOrThrow(tennisFeed.opening(registration, 0)).created(id)
  const state = foldAll(undefined, [created, ...events]) ?? assert.fail("no match")
  assert.strictEqual(state.seq, events.length + 1)
  return { state, recording }
}

describe("the replay of a point file", () => {
  it("plays the chosen match to the score of the file", () => {
    const { recording, state } = folded()
    assert.strictEqual(recording.title, "One - Two, Example Open")
    assert.deepStrictEqual([state.status, scoreText(state, 0)], ["completed", "6-0 6-0"])
    assert.strictEqual(state.sides[1].players[0]?.name, "Two")
    assert.strictEqual(recording.endedAt, state.endedAt)
    assert.include([...recording.play(state.matchId)].at(-1)?.table() ?? "", "score 6-0 6-0 (in the file: 6-0 6-0)")
  })

  it("ends with the retirement that the score states", () => {
    const { recording, state } = folded(2)
    assert.include(recording.title, "Second, with a comma")
    assert.deepInclude(state, { status: "completed", endReason: "retired", winner: 1, tour: "wta" })
  })

  it("cancels a match whose string ends too early", () => {
    assert.deepInclude(folded(3).state, { status: "cancelled", winner: null })
  })

  it("fails if the file has no such match", () => {
    assert.match(String(Result.getOrThrow(Result.flip(read(4))).message), /no match 4/)
  })
})
