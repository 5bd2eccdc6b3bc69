/** Failures of the NATS client as errors of the log port, with the original error as the cause. */
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream"
import { errors } from "@nats-io/transport-node"
import { LogError } from "../EventLog.ts"

/** Too few servers of a cluster are known or reachable to store a stream or a consumer. */
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
    // 5xx: the stream has no leader or space, or is busy. 404: the consumer vanished together with its server. All
    // other statuses are rejections of the request.
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
