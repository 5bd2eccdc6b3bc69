/** A failed REST read: an error response, a network error or a timeout. For the latter two, `status` is undefined. */
export class RequestError extends Error {
  readonly _tag = "RequestError"
  override readonly name = "RequestError"
  readonly status: number | undefined
  /** Error code of the API. Undefined if the response does not come from the API, for example from a proxy. */
  readonly code: string | undefined
  /** `details` of the API error, for example the exceeded limit. */
  readonly details: unknown
  /** Value of `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: {
      readonly status?: number
      readonly code?: string | undefined
      readonly details?: unknown
      readonly retryAfterMs?: number | undefined
      readonly cause?: unknown
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = options.status
    this.code = options.code
    this.details = options.details
    this.retryAfterMs = options.retryAfterMs
  }
}
