import { assert, describe, it } from "@effect/vitest"
import { matchId, playerIdOfSteamId64 } from "@matchpoint/cs2/rules/ids"
import { currentSubject, cursorOfMessageId, feedSubject, liveMessageId, liveSubject, matchOfSubject } from "../src/bus/subjects.ts"
import { paginate } from "../src/http/envelope.ts"
import { shouldReconnect } from "../src/stream/closeCodes.ts"
import { formatCursor, parseCursor } from "../src/stream/cursors.ts"
import { ALL, matchRoom, parseRoom, replayRoom } from "../src/stream/rooms.ts"

const id = matchId(1001)

describe("names and ids", () => {
  it("parse the match from a subject", () => {
    assert.strictEqual(feedSubject(id), "feed.cs2.41.1001")
    assert.strictEqual(matchOfSubject(liveSubject(id)), id)
    for (const subject of ["live.cs2.", "live.cs2.0", "live.cs2.x", "feed.rejected"]) assert.isUndefined(matchOfSubject(subject))
  })

  it("of records that earlier versions stored have a current subject", () => {
    assert.strictEqual(currentSubject("feed.cs2.1001"), feedSubject(id))
    assert.strictEqual(currentSubject("feed.tennis.1066"), "feed.tennis.42.1066")
    assert.strictEqual(currentSubject("live.cs2.1001"), liveSubject(id))
    for (const current of [feedSubject(id), liveSubject(id), "feed.rejected", "match.cs2.1001", "odds.cs2"]) {
      assert.strictEqual(currentSubject(current), current)
    }
  })

  it("parse the cursor from a message id", () => {
    assert.deepStrictEqual(cursorOfMessageId(liveMessageId(id, 2, 345)), { matchId: id, epoch: 2, seq: 345 })
    for (const other of ["", "cs2-match-1:1", "cs2-match-1:a:b", "a:1:2:3"]) assert.isUndefined(cursorOfMessageId(other))
  })

  it("parse rooms of matches, replays and all matches", () => {
    assert.deepStrictEqual(parseRoom(matchRoom(id)), { _tag: "Match", matchId: id })
    assert.deepStrictEqual(parseRoom(replayRoom(id)), { _tag: "Replay", matchId: id })
    assert.deepStrictEqual(parseRoom(ALL), { _tag: "All" })
    for (const other of ["", "ALL", "match:", "match:cs2-match-0", "match:cs2-match-1 ", "replay:", "all:cs2-match-1", "cs2-match-1"])
      assert.isUndefined(parseRoom(other))
  })

  it("parse a formatted cursor", () => {
    const cursor = { matchId: id, epoch: 2, seq: 345, position: 6_789 }
    assert.deepStrictEqual(parseCursor(formatCursor(cursor)), cursor)
    for (const other of [
      "",
      "cs2-match-1",
      "cs2-match-1:1:2",
      "cs2-match-1:1:2:3:4",
      "cs2-match-1:1:-2:3",
      "cs2-match-1:1::3",
      "x:1:2:3",
      "cs2-match-1:1:2e1:3",
    ])
      assert.isUndefined(parseCursor(other))
  })

  it("derive player ids from Steam accounts", () => {
    assert.strictEqual(playerIdOfSteamId64("76561197960265729"), "cs2-player-1")
    for (const other of ["0", "76561197960265728", "7656119796026572x", "99999999999999999"]) assert.isUndefined(playerIdOfSteamId64(other))
  })
})

describe("close codes", () => {
  it("have a range that determines whether to reconnect", () => {
    assert.deepStrictEqual([1001, 1006, 3008, 3499].map(shouldReconnect), [true, true, true, true])
    assert.deepStrictEqual([1000, 1009, 3500, 3501, 4000].map(shouldReconnect), [false, false, false, false, false])
  })
})

describe("paging", () => {
  const items = Array.from({ length: 25 }, (_, n) => n)
  const bounds = { max: 10, fallback: 10 }

  it("reduces a limit above the maximum", () => {
    assert.deepStrictEqual(paginate(items, { limit: 1_000 }, bounds).meta, {
      count: 10,
      limit: 10,
      total: 25,
      page: 1,
      totalPages: 3,
      hasNext: true,
      hasPrev: false,
    })
  })

  it("returns a shorter last page and empty pages after it", () => {
    assert.deepStrictEqual(paginate(items, { page: 3 }, bounds).items, [20, 21, 22, 23, 24])
    const beyond = paginate(items, { page: 9 }, bounds)
    assert.deepStrictEqual([beyond.items, beyond.meta.hasNext, beyond.meta.hasPrev], [[], false, true])
    assert.strictEqual(paginate([], {}, bounds).meta.totalPages, 0)
  })
})
