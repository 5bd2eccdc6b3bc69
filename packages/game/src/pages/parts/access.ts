/**
 * Connects the web pages to the API: creates a client with the visitor's API key, and detects the errors after which
 * the visitor must enter another key.
 */
import { type Client, createClient, RequestError } from "@matchpoint/client"

const KEY_SLOT = "matchpoint.apiKey"
const TIMEOUT_MS = 8_000

export interface PageConfig {
  /** Base URL of the API: the path at which this server serves it. */
  readonly apiRoot: string
  /** API key for visitors who have not entered one. If `null`, the visitor must enter a key. */
  readonly demoKey: string | null
}

export const readPageConfig = async (): Promise<PageConfig> => {
  const response = await fetch("/page-config.json", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`/page-config.json answered ${response.status}`)
  return response.json()
}

export const clientOf = ({ apiRoot }: PageConfig, apiKey: string): Client =>
  createClient({ baseUrl: new URL(apiRoot, location.href).href, apiKey, timeoutMs: TIMEOUT_MS, retries: 0 })

/**
 * Returns the API key that the visitor entered in this browser tab, or else the server's demo key. Returns `null` if
 * there is neither.
 */
export const keyOf = ({ demoKey }: PageConfig): string | null => sessionStorage.getItem(KEY_SLOT) ?? demoKey

/** Stores the API key for this browser tab. `null` removes the stored key. */
export const keepKey = (key: string | null): void => {
  if (key === null) sessionStorage.removeItem(KEY_SLOT)
  else sessionStorage.setItem(KEY_SLOT, key)
}

/** Returns true if the API rejected the key, or if the key's plan does not include the requested data. */
export const isRefusal = (error: unknown): boolean => error instanceof RequestError && (error.status === 401 || error.status === 403)

/** Returns true if the API rejected the request because the key's monthly quota is used up. */
export const isUsedUp = (error: unknown): boolean =>
  error instanceof RequestError &&
  typeof error.details === "object" &&
  error.details !== null &&
  Reflect.get(error.details, "limit") === "requests_per_month"
