/** Why the server refused a handshake, read from its HTTP answer. Pure. */

/** The body of an API error. */
export interface ApiError {
  readonly code: string
  readonly message: string
  /** The exceeded limit, if the details name one. */
  readonly limit?: string | undefined
}

export interface Refusal {
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly error?: ApiError | undefined
}

/** Refusal of an answer other than 2xx. A body that is not the API's, for example a proxy's, is ignored. */
export const refusalOf = (status: number, retryAfter: string | null | undefined, body: string): Refusal => ({
  status,
  retryAfterMs: retryAfterMs(retryAfter),
  error: readApiError(body),
})

/** `Retry-After` in milliseconds; undefined if absent. Dates are ignored. */
export const retryAfterMs = (header: string | null | undefined): number | undefined =>
  typeof header === "string" && /^[0-9]{1,9}$/.test(header) ? Number(header) * 1_000 : undefined

/** The error in the body of an answer, or undefined. */
export const readApiError = (body: string): ApiError | undefined => {
  const error = property(parsed(body), "error")
  const code = property(error, "code")
  const message = property(error, "message")
  const limit = property(property(error, "details"), "limit")
  if (typeof code !== "string" || typeof message !== "string") return undefined
  return { code, message, limit: typeof limit === "string" ? limit : undefined }
}

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
