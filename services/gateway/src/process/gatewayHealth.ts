import { databaseCheck } from "@matchpoint/process/health/databaseCheck"
import { logChecks } from "@matchpoint/process/health/logChecks"
import { Effect } from "effect"
import { lagCheck } from "./lagCheck.ts"

/** The log, the database, the delivery of records, and the position of this gateway in LIVE. */
export const gatewayChecks = Effect.gen(function* () {
  const { bus, log } = yield* logChecks
  return [log, yield* databaseCheck, bus, yield* lagCheck]
})
