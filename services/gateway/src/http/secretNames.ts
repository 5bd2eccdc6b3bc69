/**
 * Names of headers and query parameters that carry keys or tokens. Their values are removed from requests that appear
 * in logs, spans and errors. Within the program, the values are wrapped in `Redacted` as soon as they are read.
 */
import { Layer } from "effect"
import { Headers, UrlParams } from "effect/http"

const inQueries = /^(api[_-]?key|(access[_-]?)?token|key|secret|password|signature|sig)$/i
const inHeaders = /(authorization|cookie|api-?key|token|secret|password)/i

/** Layer that configures the redaction. Provide it to the server and to everything that runs on it. */
export const SecretNames = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [inQueries]),
  Layer.succeed(Headers.CurrentRedactedNames, [inHeaders]),
)
