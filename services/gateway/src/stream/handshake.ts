/** What both live channels share when a client connects: the key, the answer to a refused one, the first message. */

import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import type { ServiceUnavailable, Unauthorized } from "@matchpoint/contracts/http/errors"
import { body, type ErrorCode, errorStatus } from "@matchpoint/contracts/http/errors"
import { PING_INTERVAL_SECONDS, type Ready } from "@matchpoint/contracts/stream/messages"
import type { ApiKey } from "@matchpoint/store/ApiKeys"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { type Reject, reject } from "@matchpoint/uws/Verdict"
import { Redacted } from "effect"

const utf8 = new TextEncoder()

/** Header `x-api-key`, then `Authorization: Bearer`, then, where the channel allows it, the query parameter `apiKey`. */
export const secretOf = (request: UpgradeRequest, options: { readonly inQuery: boolean }): Redacted.Redacted<string> => {
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
  const query = options.inQuery ? request.query.get("apiKey") : null
  return Redacted.make((request.headers[API_KEY_HEADER] ?? bearer ?? query ?? "").trim(), { label: "API key" })
}

export const refuse = (code: ErrorCode, message: string, details?: unknown): Reject =>
  reject(errorStatus[code], {
    headers: { "content-type": "application/json", "access-control-allow-origin": "*" },
    body: utf8.encode(JSON.stringify(body(code, message, details))),
  })

export const refusal = (error: Unauthorized | ServiceUnavailable): Reject => refuse(error.error.code, error.error.message)

/** Until plans are metered every key is real-time and streams cost nothing. */
export const readyFor = (key: ApiKey): Ready => ({
  type: "ready",
  delay_seconds: 0,
  billing: { requests_at_connect: 1, requests_per_interval: 1, interval_seconds: 15, metered: false },
  heartbeat_seconds: PING_INTERVAL_SECONDS,
  plan: key.plan,
})
