/**
 * The specification gives errors of the QR section a body of their own, without a code: `{ success: false, error:
 * <message> }`. Errors of authentication and metering keep the format of `errors.ts`.
 */
import { Schema } from "effect"

const MessageBody = Schema.Struct({ success: Schema.Literal(false), error: Schema.String })

const body = (error: string) => ({ success: false as const, error })

export class QrInvalid extends Schema.Error<QrInvalid>("QrInvalid")(MessageBody, {
  httpApiStatus: 400,
  description: "A parameter is missing or invalid, or the image would be unreadable; the message gives advice",
}) {
  static readonly because = (message: string) => new QrInvalid(body(message))
}

export class QrTooLarge extends Schema.Error<QrTooLarge>("QrTooLarge")(MessageBody, {
  httpApiStatus: 413,
  description: "The request body exceeds the size limit",
}) {
  static readonly limit = (bytes: number) =>
    new QrTooLarge(body(`the request body exceeds the limit of ${bytes} bytes; send a smaller logo`))
}

export class QrFailed extends Schema.Error<QrFailed>("QrFailed")(MessageBody, {
  httpApiStatus: 500,
  description: "The server failed; the message contains no internal details",
}) {
  static readonly hidden = () =>
    new QrFailed(body("the server failed to generate the image; retry later, and report the header X-Request-Id if it fails again"))
}

export class QrBusy extends Schema.Error<QrBusy>("QrBusy")(MessageBody, {
  httpApiStatus: 503,
  description: "Too many images are being generated, or this one took too long; retry after `Retry-After`",
}) {
  static readonly because = (message: string) => new QrBusy(body(message))
}

/** `Retry-After` of `QrBusy`. */
export const QR_RETRY_SECONDS = 1
