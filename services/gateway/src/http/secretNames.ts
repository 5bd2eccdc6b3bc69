/**
 * Under which names keys and tokens travel, so that requests are shown without them in logs, spans and errors. The values themselves are
 * Redacted from where they are read.
 */
import { Layer } from "effect"
import { Headers, UrlParams } from "effect/http"

const inQueries = /^(api[_-]?key|(access[_-]?)?token|key|secret|password|signature|sig)$/i
const inHeaders = /(authorization|cookie|api-?key|token|secret|password)/i

/** To be provided to the server and everything on it. */
export const SecretNames = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [inQueries]),
  Layer.succeed(Headers.CurrentRedactedNames, [inHeaders]),
)
