import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { FollowedRooms } from "../src/FollowedRooms.ts"
import type { Following } from "../src/Following.ts"

const followingOf = (room: string): Following => ({ room, channel: { room: `channel of ${room}` } }) as unknown as Following

const names = ["all", "match:cs2-match-1", "match:cs2-match-2", "match:cs2-match-3"] as const

describe("FollowedRooms", () => {
  it.prop(
    "behaves like a Map for any sequence of additions and deletions",
    { steps: Schema.Array(Schema.Struct({ room: Schema.Literals(names), enters: Schema.Boolean })).check(Schema.isMaxLength(30)) },
    ({ steps }) => {
      const rooms = new FollowedRooms()
      const expected = new Map<string, Following>()
      for (const { enters, room } of steps) {
        rooms.delete(room)
        expected.delete(room)
        if (enters) {
          const following = followingOf(room)
          rooms.add(following)
          expected.set(room, following)
        }
        assert.strictEqual(rooms.size, expected.size)
        assert.deepStrictEqual([...rooms.values()], [...expected.values()])
        for (const name of names) assert.strictEqual(rooms.get(name), expected.get(name))
        for (const name of names) assert.strictEqual(rooms.has(name), expected.has(name))
      }
    },
  )

  it("allows rooms to be deleted during iteration", () => {
    for (const count of [1, 2, 4]) {
      const rooms = new FollowedRooms()
      for (const name of names.slice(0, count)) rooms.add(followingOf(name))
      let walked = 0
      for (const { room } of rooms.values()) {
        rooms.delete(room)
        walked += 1
      }
      assert.deepStrictEqual([walked, rooms.size], [count, 0])
    }
  })
})
