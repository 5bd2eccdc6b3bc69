/** Converts failures of the database to the error 503 of the API, and logs them. */
import { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"

/** `problem` states what fails, such as `webhooks cannot be read or changed`. */
export const unavailable =
  (problem: string) =>
  (error: StoreError): Effect.Effect<never, ServiceUnavailable> =>
    Effect.andThen(Effect.logError(problem, error), Effect.fail(ServiceUnavailable.because(`${problem} at the moment; try again`)))

/** Wraps a handler so that failures of the database become `unavailable(problem)`. */
export const orUnavailable =
  (problem: string) =>
  <Request, A, E, R>(handle: (request: Request) => Effect.Effect<A, E | StoreError, R>) =>
  (request: Request) =>
    Effect.catchIf(handle(request), isStoreError, unavailable(problem))

const isStoreError = (error: unknown): error is StoreError => error instanceof StoreError
