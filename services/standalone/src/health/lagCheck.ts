/** Whether the edge keeps up with the log: if it does not, customers get no frames although matches go on. */
import { EventLog } from "@matchpoint/bus/EventLog"
import { LIVE } from "@matchpoint/contracts/bus/subjects"
import { LiveHub } from "@matchpoint/service-gateway/live/LiveHub"
import { Effect } from "effect"
import { ANSWER_WITHIN_MS, type Check, failed, ok } from "./Check.ts"

const LOOK_EVERY_MS = 50
const LOOKS = Math.floor((ANSWER_WITHIN_MS - 200) / LOOK_EVERY_MS)

export const lagCheck = Effect.gen(function* () {
  const log = yield* EventLog
  const hub = yield* LiveHub
  const check: Check = {
    name: "lag",
    find: Effect.gen(function* () {
      const { last } = yield* log.bounds(LIVE)
      // A moment behind is normal: it has a little less than a second to reach what was the newest record.
      for (let look = 0; look < LOOKS && hub.passed() < last; look++) yield* Effect.sleep(LOOK_EVERY_MS)
      const behind = last - hub.passed()
      return behind <= 0
        ? ok("live channels are up to date with the log")
        : failed(`live channels are ${behind} records behind the log and do not catch up: frames are not delivered`)
    }),
  }
  return check
})
