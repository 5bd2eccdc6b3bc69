/** Maps failures of the NATS client to errors of the log port. The original error is kept as the cause. */
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream"
import { errors } from "@nats-io/transport-node"
import { LogError } from "../EventLog.ts"

/** Code of the server's error if too few servers of a cluster are known or reachable to store a stream or a consumer. */
const NO_SUITABLE_PEERS = 10_005

type Meaning = Pick<LogError, "reason" | "retryable" | "detail">

export const natsError =
  (operation: LogError["operation"], target: string) =>
  (cause: unknown): LogError =>
    cause instanceof LogError ? cause : new LogError({ operation, target, cause, ...meaning(cause) })

const meaning = (cause: unknown): Meaning => {
  if (cause instanceof JetStreamApiError) {
    if (cause.code === JetStreamApiCodes.StreamNotFound) {
      return { reason: "HistoryLost", retryable: false, detail: "the stream is no longer on the server" }
    }
    if (cause.code === JetStreamApiCodes.StreamWrongLastSequence) {
      return { reason: "Conflict", retryable: false, detail: `another record is the newest of the subject: ${cause.message}` }
    }
    // Status 5xx means that the stream has no leader, has no space or is busy, so a retry may succeed. Status 404 means
    // that the consumer vanished together with its server, which is also retryable. All other statuses are rejections
    // of the request.
    const retryable = cause.status >= 500 || cause.status === 404 || cause.code === NO_SUITABLE_PEERS
    return { reason: retryable ? "Unavailable" : "Invalid", retryable, detail: cause.message }
  }
  if (cause instanceof errors.ClosedConnectionError || cause instanceof errors.DrainingConnectionError) {
    return { reason: "Closed", retryable: false, detail: "the connection was closed" }
  }
  if (
    cause instanceof errors.AuthorizationError ||
    cause instanceof errors.UserAuthenticationExpiredError ||
    cause instanceof errors.PermissionViolationError
  ) {
    return { reason: "Denied", retryable: false, detail: cause.message }
  }
  if (cause instanceof errors.InvalidArgumentError || cause instanceof errors.InvalidSubjectError) {
    return { reason: "Invalid", retryable: false, detail: cause.message }
  }
  const detail = cause instanceof Error && cause.message !== "" ? cause.message : "the server did not respond"
  return { reason: "Unavailable", retryable: true, detail }
}
