import { PayloadTooLarge, ValidationError } from "@matchpoint/contracts/http/errors"
import type { BodyBound } from "@matchpoint/uws/http/BodyBounds"
import { BodyRefused } from "@matchpoint/uws/http/bodyReader"
import type { HttpServerError } from "effect/http"

/** `maxBytes` is the limit with which the body was read. */
export const unreadableBody = ({ reason }: HttpServerError.HttpServerError, maxBytes: number): PayloadTooLarge | ValidationError => {
  if (reason._tag !== "RequestParseError") return unread
  if (reason.reason === "BodyTooLarge") return PayloadTooLarge.limit(maxBytes)
  if (!(reason.cause instanceof BodyRefused)) return unread
  const { bound } = reason.cause
  if (bound === "pieces") return tooManyPieces
  return PayloadTooLarge.inTotal(holders[bound])
}

const unread = ValidationError.because("the request body could not be read; send it again")

const tooManyPieces = ValidationError.because(
  "the request body arrives in too many tiny pieces; send it in chunks of at least 64 bytes, or with Content-Length",
)

const holders: Readonly<Record<Exclude<BodyBound, "pieces">, string>> = {
  address: "your address",
  key: "this key or match",
  process: "this server",
}
