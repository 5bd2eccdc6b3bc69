/** Converts failures of the database to the error 503 of the API, and logs them. */
import { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"

/** `problem` states what fails, such as `webhooks cannot be read or changed`. */
export const unavailable =
  (problem: string) =>
  (error: StoreError): Effect.Effect<never, ServiceUnavailable> =>
    Effect.andThen(Effect.logError(problem, error), Effect.fail(ServiceUnavailable.because(`${problem} at the moment; try again`)))

/** `Effect.fnUntraced`, but failures of the database become what `convert` returns. */
export const handlersWith =
  <Failure>(convert: (error: StoreError) => Effect.Effect<never, Failure>) =>
  <Args extends Array<unknown>, Step extends Effect.Effect<unknown, unknown, unknown>, A>(
    body: (...args: Args) => Generator<Step, A, never>,
  ) => {
    const handle = Effect.fnUntraced(body)
    return (...args: Args) => Effect.catchIf(handle(...args), isStoreError<ErrorOf<Step>>, convert)
  }

/** Error of a step of a generator, as `Effect.fnUntraced` states it. */
type ErrorOf<Step> = [Step] extends [never] ? never : [Step] extends [Effect.Effect<infer _A, infer E, infer _R>] ? E : never

export const isStoreError = <E>(error: E): error is E & StoreError => error instanceof StoreError
