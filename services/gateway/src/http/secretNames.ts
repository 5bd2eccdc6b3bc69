/**
 * Headers and query parameters with keys or tokens. Their values are removed from requests in logs, spans and errors.
 * Within the program, they are `Redacted` as soon as they are read.
 */
import { Layer } from "effect"
import { Headers, UrlParams } from "effect/http"

const inQueries = /^(api[_-]?key|(access[_-]?)?token|key|secret|password|signature|sig)$/i
const inHeaders = /(authorization|cookie|api-?key|token|secret|password)/i

/** Must be provided to the server and everything that runs on it. */
export const SecretNames = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [inQueries]),
  Layer.succeed(Headers.CurrentRedactedNames, [inHeaders]),
)
