/** Reactions of a match while the database or the log does not respond. */
import type { LogError } from "@matchpoint/bus/EventLog"
import type { MatchId } from "@matchpoint/domain/ids"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Schedule } from "effect"
import type { LostOwnership } from "./LostOwnership.ts"

/** Logs a failure of work that is tried again in any case. */
export const tryAgain = (matchId: MatchId, what: string) => (error: LogError | StoreError) =>
  Effect.logWarning(`${matchId}: ${what}; retrying`, error)

/** Waits for the end of an outage of the database. Restarting the match would read its events again in the meantime. */
export const outlasting = <E extends LostOwnership | StoreError, R>(matchId: MatchId, what: string, write: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(MatchConfig, ({ restartAfter, restartAtMost }) =>
    write.pipe(
      Effect.tapError((error) => (error._tag === "StoreError" ? tryAgain(matchId, what)(error) : Effect.void)),
      Effect.retry({
        while: (error) => error._tag === "StoreError" && !error.isPermanent,
        schedule: Schedule.min([Schedule.exponential(restartAfter), Schedule.spaced(restartAtMost)]),
      }),
    ),
  )
