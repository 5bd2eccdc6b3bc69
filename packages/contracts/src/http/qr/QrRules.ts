/** Limits the size of bodies, and reports invalid requests and server failures in the QR section's own error format. */
import { HttpApiMiddleware } from "effect/http-api"
import { QrBusy, QrFailed, QrInvalid, QrTooLarge } from "./qrErrors.ts"

export class QrRules extends HttpApiMiddleware.Service<QrRules>()("@matchpoint/contracts/http/qr/QrRules", {
  error: [QrInvalid, QrTooLarge, QrFailed, QrBusy],
}) {}
