/** How the pages reach the API: a client for the visitor's key, and which failures need another key. */
import { type Client, createClient, RequestError } from "@matchpoint/client"

const KEY_SLOT = "matchpoint.apiKey"
const TIMEOUT_MS = 8_000

export interface PageConfig {
  /** Path of the API. */
  readonly apiRoot: string
  /** Key of visitors who bring none. Null: the visitor has to enter one. */
  readonly demoKey: string | null
}

export const readPageConfig = async (): Promise<PageConfig> => {
  const response = await fetch("/page-config.json", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`/page-config.json answered ${response.status}`)
  return response.json()
}

export const clientOf = ({ apiRoot }: PageConfig, apiKey: string): Client =>
  createClient({ baseUrl: new URL(apiRoot, location.href).href, apiKey, timeoutMs: TIMEOUT_MS, retries: 0 })

/** The key of this tab, or that of the installation. */
export const keyOf = ({ demoKey }: PageConfig): string | null => sessionStorage.getItem(KEY_SLOT) ?? demoKey

/** Keeps the key for this tab; null forgets it. */
export const keepKey = (key: string | null): void => {
  if (key === null) sessionStorage.removeItem(KEY_SLOT)
  else sessionStorage.setItem(KEY_SLOT, key)
}

/** Whether the API does not accept the key, or its plan for this. */
export const isRefusal = (error: unknown): boolean => error instanceof RequestError && (error.status === 401 || error.status === 403)

/** Whether the month's requests are used up. */
export const isUsedUp = (error: unknown): boolean =>
  error instanceof RequestError &&
  typeof error.details === "object" &&
  error.details !== null &&
  Reflect.get(error.details, "limit") === "requests_per_month"
