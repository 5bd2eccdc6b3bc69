// Owns the requests of the measurement to the admin API: creating keys and reading the bill.
import { ADMIN_TOKEN_HEADER } from "@matchpoint/contracts/http/admin/AdminApi"
import type { Plan } from "@matchpoint/domain/plans"

export const ADMIN_TOKEN = "token-of-the-hostile-benchmark"

export interface OwnKey {
  readonly secret: string
  readonly accountId: string
}

const ask = async <A>(port: number, path: string, init: RequestInit = {}): Promise<A> => {
  const headers = { [ADMIN_TOKEN_HEADER]: ADMIN_TOKEN, "content-type": "application/json" }
  const response = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, { ...init, headers, signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the admin API responded ${response.status}: ${await response.text()}`)
  const { data }: { data: A } = await response.json()
  return data
}

/** Creates a key with the add-on that also allows WebSockets. */
export const createKey = (port: number, plan: Plan): Promise<OwnKey> =>
  ask(port, "/keys", { method: "POST", body: JSON.stringify({ plan, label: plan, addOns: ["live-websockets"] }) })

export const requestsBilled = async (port: number, accountId: string): Promise<number> => {
  const { requests } = await ask<{ readonly requests: number }>(port, `/accounts/${accountId}/usage`)
  return requests
}
