/** The page's REST reads. Every one has a timeout, and every answer is one of a few cases that the caller has to name. */

/** @import { LiveListItem, LiveEvents } from "@matchpoint/contracts/http/cs2/liveModels" */
/** @import { Usage } from "@matchpoint/contracts/http/account/AccountApi" */

const TIMEOUT_MS = 8_000

/**
 * @template Data
 * @typedef {{ readonly kind: "ok", readonly data: Data, readonly date: number | null }
 *   | { readonly kind: "refused", readonly message: string }
 *   | { readonly kind: "exhausted", readonly message: string }
 *   | { readonly kind: "absent", readonly message: string }
 *   | { readonly kind: "failed", readonly message: string }} Answer
 * `date`: the server's clock, epoch ms. "failed" may work later, "refused" needs another key,
 * "exhausted" another plan or the next month.
 */

/**
 * @param {string} path
 * @param {string} key
 * @returns {Promise<Answer<unknown>>}
 */
const get = async (path, key) => {
  try {
    const response = await fetch(path, { headers: { "x-api-key": key }, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = await response.json()
    if (response.ok) {
      const date = Date.parse(response.headers.get("date") ?? "")
      return { kind: "ok", data: body.data, date: Number.isNaN(date) ? null : date }
    }
    const message = String(body?.error?.message ?? `the server answered ${response.status}`)
    if (response.status === 401 || response.status === 403) return { kind: "refused", message }
    if (body?.error?.details?.limit === "requests_per_month") return { kind: "exhausted", message }
    return { kind: response.status === 404 ? "absent" : "failed", message }
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) }
  }
}

/** `LiveListItem`s are trusted as the contract has them: they come from the server that served this page. */

/**
 * @param {string} apiRoot
 * @param {string} key
 * @returns {Promise<Answer<ReadonlyArray<LiveListItem>>>}
 */
export const readMatches = async (apiRoot, key) => {
  const answer = await get(`${apiRoot}/cs2/live?limit=100`, key)
  return answer.kind === "ok" ? { ...answer, data: /** @type {ReadonlyArray<LiveListItem>} */ (answer.data) } : answer
}

/**
 * What happened in a match so far, newest first.
 * @param {string} apiRoot
 * @param {string} key
 * @param {string} matchId
 * @returns {Promise<Answer<LiveEvents>>}
 */
export const readEvents = async (apiRoot, key, matchId) => {
  const answer = await get(`${apiRoot}/cs2/live/${encodeURIComponent(matchId)}/events?limit=200`, key)
  return answer.kind === "ok" ? { ...answer, data: /** @type {LiveEvents} */ (answer.data) } : answer
}

/**
 * Whatever the archive has at a path below the API's root.
 * @param {string} apiRoot
 * @param {string} key
 * @param {string} path
 */
export const readArchive = (apiRoot, key, path) => get(`${apiRoot}${path}`, key)

/**
 * What the key's account may do. Costs nothing.
 * @param {string} apiRoot
 * @param {string} key
 * @returns {Promise<Answer<Usage>>}
 */
export const readUsage = async (apiRoot, key) => {
  const answer = await get(`${apiRoot}/usage`, key)
  return answer.kind === "ok" ? { ...answer, data: /** @type {Usage} */ (answer.data) } : answer
}

/** By plan or by add-on. @param {Usage} usage */
export const hasWebSockets = ({ addOns, limits }) => limits.features.includes("live-websockets") || addOns.includes("live-websockets")

/**
 * Where the API is and which key this installation gives to its own page; a null key means that the visitor brings one.
 * @returns {Promise<{ readonly apiRoot: string, readonly demoKey: string | null }>}
 */
export const readPageConfig = async () => {
  const response = await fetch("/page-config.json", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`/page-config.json answered ${response.status}`)
  return response.json()
}
