/** Whether the gateway keeps up with the log. If it falls behind, customers receive no frames although matches continue. */
import { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { ANSWER_WITHIN_MS, type Check, failed, ok } from "@matchpoint/process/health/Check"
import { Effect } from "effect"

const LOOK_EVERY_MS = 50
const LOOKS = Math.floor((ANSWER_WITHIN_MS - 200) / LOOK_EVERY_MS)

export const lagCheck = Effect.gen(function* () {
  const hub = yield* LiveHub
  const check: Check = {
    name: "lag",
    find: Effect.gen(function* () {
      const last = yield* hub.newest
      // A short lag is normal, so the check waits a little less than a second for the record that was the newest at its start.
      for (let look = 0; look < LOOKS && hub.passed() < last; look++) yield* Effect.sleep(LOOK_EVERY_MS)
      const behind = last - hub.passed()
      return behind <= 0
        ? ok("live channels are up to date with the log")
        : failed(`live channels are ${behind} records behind the log and do not catch up: frames are not delivered`)
    }),
  }
  return check
})
