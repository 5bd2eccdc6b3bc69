/** Checks that the database responds and accepts writes. */
import { DatabaseProbe } from "@matchpoint/store/database/DatabaseProbe"
import { Effect } from "effect"
import { type Check, ok } from "./Check.ts"

export const databaseCheck = Effect.map(
  DatabaseProbe,
  ({ check }): Check => ({ name: "database", find: Effect.as(check, ok("the database answers and accepts writes")) }),
)
