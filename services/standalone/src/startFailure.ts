/** Reports why the server did not start or had to end: one line for each thing that an operator can act on, the whole cause of a bug. */
import { Cause, Console, Effect } from "effect"
import { InvalidSettings } from "./settings/InvalidSettings.ts"

/** Reports a failure of `program` on stderr and passes it on. */
export const explainingFailure = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(program, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const lines = Cause.hasDies(cause) ? undefined : linesOf(Cause.squash(cause))
    return lines === undefined ? Effect.logFatal("the server failed", cause) : Console.error(lines.join("\n"))
  })

/** Undefined: an error without words for an operator. */
const linesOf = (error: unknown): ReadonlyArray<string> | undefined => {
  if (error instanceof InvalidSettings) return [...error.problems]
  if (!(error instanceof Error) || error.message === "") return undefined
  const [line] = error.message.split("\n", 1)
  return [`Matchpoint cannot start: ${line}`]
}
