/**
 * Why the server did not start or had to stop. An error that an operator can fix is printed in short lines. A bug is
 * logged with its whole cause.
 */
import { Cause, Console, Effect } from "effect"
import { InvalidSettings } from "./settings/InvalidSettings.ts"

/** Reports a failure on stderr and lets it propagate. */
export const explainingFailure = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(program, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const lines = Cause.hasDies(cause) ? undefined : linesOf(Cause.squash(cause))
    return lines === undefined ? Effect.logFatal("the server failed", cause) : Console.error(lines.join("\n"))
  })

/** Undefined if the error has no message for an operator. */
const linesOf = (error: unknown): ReadonlyArray<string> | undefined => {
  if (error instanceof InvalidSettings) return [...error.problems]
  if (!(error instanceof Error) || error.message === "") return undefined
  const [line] = (listenProblem(error) ?? error.message).split("\n", 1)
  return [`Matchpoint cannot start: ${line}`]
}

const MAX_CAUSES = 10

/** Address that could not be opened, which the errors of libraries do not name. Undefined for another cause. */
const listenProblem = (error: Error): string | undefined => {
  let cause: unknown = error
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++, cause = cause.cause)
    if ("syscall" in cause && cause.syscall === "listen" && "port" in cause) return `${cause.message}; choose another host or port`
  return undefined
}
