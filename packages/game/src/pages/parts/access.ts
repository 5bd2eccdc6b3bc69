/** API client with the visitor's key, and the errors after which the visitor must enter another key. */
import { type Client, createClient, RequestError } from "@matchpoint/client"

const KEY_SLOT = "matchpoint.apiKey"
const TIMEOUT_MS = 8_000

export interface PageConfig {
  /** The path at which this server serves the API. */
  readonly apiRoot: string
  /** Key for visitors who have not entered one. If `null`, the visitor must enter a key. */
  readonly demoKey: string | null
}

export const readPageConfig = async (): Promise<PageConfig> => {
  const response = await fetch("/page-config.json", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`/page-config.json answered ${response.status}`)
  return response.json()
}

export const clientOf = ({ apiRoot }: PageConfig, apiKey: string): Client =>
  createClient({ baseUrl: new URL(apiRoot, location.href).href, apiKey, timeoutMs: TIMEOUT_MS, retries: 0 })

/** The key that the visitor entered in this browser tab, or else the server's demo key. */
export const keyOf = ({ demoKey }: PageConfig): string | null => sessionStorage.getItem(KEY_SLOT) ?? demoKey

/** Keeps the key for this browser tab. `null` removes it. */
export const keepKey = (key: string | null): void => {
  if (key === null) sessionStorage.removeItem(KEY_SLOT)
  else sessionStorage.setItem(KEY_SLOT, key)
}

/** The API rejected the key, or the key's plan does not include the requested data. */
export const isRefusal = (error: unknown): boolean => error instanceof RequestError && (error.status === 401 || error.status === 403)

/** The monthly quota of the key is used up. */
export const isUsedUp = (error: unknown): boolean =>
  error instanceof RequestError &&
  typeof error.details === "object" &&
  error.details !== null &&
  Reflect.get(error.details, "limit") === "requests_per_month"
