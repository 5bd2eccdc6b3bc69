/** Why a REST read failed: the API's error, or a network error or timeout (`status` undefined). */
export class RequestError extends Error {
  readonly _tag = "RequestError"
  override readonly name = "RequestError"
  readonly status: number | undefined
  /** The API's own error code. Undefined if the answer is not the API's, for example a proxy's. */
  readonly code: string | undefined
  /** `details` of the API's error, for example the exceeded limit. */
  readonly details: unknown
  /** `Retry-After`, ms. */
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
