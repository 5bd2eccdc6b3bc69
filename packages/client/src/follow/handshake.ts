/**
 * Determines why a WebSocket could not be opened. The WebSocket API reports no reason, so the client requests `GET
 * /usage`, which is free of charge. Pure: the caller sends the request.
 */
import type { Usage } from "@matchpoint/contracts/http/account/AccountApi"
import { quotaMessage } from "@matchpoint/contracts/http/quotaMessage"
import { parsed, property, type Refusal, refusalOf } from "./refusal.ts"

/** Relative to the base URL of the API. */
export const PROBE_PATH = "/usage"

export const PROBE_TIMEOUT_MS = 5_000

/** Empty if the server would accept the key, or if the response does not explain the failure. */
export const refusalOfProbe = (status: number, retryAfter: string | null | undefined, body: string, now: number): Refusal => {
  if (status < 400) {
    const data = property(parsed(body), "data")
    return isAccount(data) ? refusalOfAccount(data, now) : {}
  }
  return status === 401 || status === 403 || status === 429 || status >= 500 ? refusalOf(status, retryAfter, body) : {}
}

type Account = Pick<Usage, "plan" | "addOns" | "quota" | "remaining"> & {
  readonly period: Pick<Usage["period"], "endsAt">
  readonly limits: Pick<Usage["limits"], "features">
}

const FEATURE = "live-websockets"

const refusalOfAccount = ({ addOns, limits, period, plan, quota, remaining }: Account, now: number): Refusal => {
  if (!limits.features.includes(FEATURE) && !addOns.includes(FEATURE)) {
    return { status: 403, error: { code: "PLAN_REQUIRED", message: `the plan ${plan} does not include ${FEATURE}` } }
  }
  if (remaining > 0) return {}
  return {
    status: 429,
    retryAfterMs: Math.max(1_000, Date.parse(period.endsAt) - now),
    error: { code: "RATE_LIMIT_EXCEEDED", message: quotaMessage(quota, period.endsAt), limit: "requests_per_month" },
  }
}

const isAccount = (data: unknown): data is Account =>
  typeof property(data, "plan") === "string" &&
  Array.isArray(property(data, "addOns")) &&
  Array.isArray(property(property(data, "limits"), "features")) &&
  typeof property(data, "quota") === "number" &&
  typeof property(data, "remaining") === "number" &&
  typeof property(property(data, "period"), "endsAt") === "string"
