/** Why the server refused a handshake, from its HTTP response. Pure. */

export interface ApiError {
  readonly code: string
  readonly message: string
  /** Name of the exceeded limit. */
  readonly limit?: string | undefined
}

export interface Refusal {
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly error?: ApiError | undefined
}

/** For a status other than 2xx. Ignores bodies that do not come from the API, for example those of a proxy. */
export const refusalOf = (status: number, retryAfter: string | null | undefined, body: string): Refusal => ({
  status,
  retryAfterMs: retryAfterMs(retryAfter),
  error: readApiError(body),
})

/** Undefined if the header is absent or a date. */
export const retryAfterMs = (header: string | null | undefined): number | undefined =>
  typeof header === "string" && /^[0-9]{1,9}$/.test(header) ? Number(header) * 1_000 : undefined

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
