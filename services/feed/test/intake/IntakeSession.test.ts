import { assert, describe, it } from "@effect/vitest"
import { tennisFeed } from "@matchpoint/tennis/feed/intake/tennisFeed"
import { IntakeSession } from "../../src/intake/IntakeSession.ts"

/** A session that has read FEED up to record 10. */
const opened = () => new IntakeSession(tennisFeed, {}, { readTo: 10, openedAt: 0, isWhole: true })
const appended = (session: IntakeSession, sequence: number, at: number) => session.note({ sequence, duplicate: false }, at)

describe("a session that knows which records its process has read", () => {
  it("asks the log if the process does not read the match, or has read a record of others", () => {
    const session = opened()
    assert.isFalse(session.noteDelivered(undefined, 0))
    appended(session, 12, 0)
    assert.isFalse(session.noteDelivered([11, 12], 1))
  })

  it("continues after its own records when they are delivered", () => {
    const session = opened()
    appended(session, 12, 0)
    appended(session, 15, 0)
    assert.isTrue(session.noteDelivered([12], 1))
    assert.strictEqual(session.readTo, 10)
    assert.isTrue(session.noteDelivered([12, 15], 2))
    assert.strictEqual(session.readTo, 15)
    assert.isTrue(session.noteDelivered([], 100_000))
  })

  it("asks the log if an own record has not been delivered for two seconds", () => {
    const session = opened()
    appended(session, 12, 0)
    assert.isTrue(session.noteDelivered([], 1_999))
    assert.isFalse(session.noteDelivered([], 2_000))
  })

  it("does not ask while later records are delivered in time", () => {
    const session = opened()
    for (let second = 0; second < 10; second++) {
      appended(session, 12 + second, second * 1_000)
      const delivered = Array.from({ length: second }, (_, index) => 12 + index)
      assert.isTrue(session.noteDelivered(delivered, second * 1_000 + 1))
    }
  })
})
