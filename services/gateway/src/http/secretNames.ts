/**
 * Names of headers and query parameters that carry keys or tokens. Logs, spans and errors show requests without these
 * values. The values themselves are `Redacted` from the moment they are read.
 */
import { Layer } from "effect"
import { Headers, UrlParams } from "effect/http"

const inQueries = /^(api[_-]?key|(access[_-]?)?token|key|secret|password|signature|sig)$/i
const inHeaders = /(authorization|cookie|api-?key|token|secret|password)/i

/** Provide this layer to the server and everything on it. */
export const SecretNames = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [inQueries]),
  Layer.succeed(Headers.CurrentRedactedNames, [inHeaders]),
)
