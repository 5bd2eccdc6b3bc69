/** Maps failures of the NATS client to errors of the log port. The original error is kept as the cause. */
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream"
import { errors } from "@nats-io/transport-node"
import { LogError } from "../EventLog.ts"

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
    // 5xx: no leader, no space, or busy. 404: the consumer vanished with its server. All other codes are rejections.
    const retryable = cause.status >= 500 || cause.status === 404
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
