/** Requests with the API key below the API root. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/apiRoot"

export interface Http {
  /** Base URL of the API, without a trailing slash. */
  readonly root: string
  readonly apiKey: string
  /** Rejects only on network errors and aborts, not on error statuses. */
  readonly get: (
    path: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ) => Promise<Response>
}

export const makeHttp = (root: string, apiKey: string): Http => ({
  root,
  apiKey,
  get: (path, { headers, signal }) => fetch(root + path, { headers: { ...headers, [API_KEY_HEADER]: apiKey }, cache: "no-store", signal }),
})
