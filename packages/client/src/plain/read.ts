/** REST reads as promises, with a timeout for each attempt and retries. */
import { defaults } from "../ClientOptions.ts"
import { backoffMs } from "../follow/backoff.ts"
import { parsed, property, readApiError, retryAfterMs } from "../follow/refusal.ts"
import type { ReadPath, Reads } from "../reads.ts"
import type { Http } from "./Http.ts"
import { pause } from "./pause.ts"
import { RequestError } from "./RequestError.ts"
import { platformTiming } from "./Timing.ts"

export interface Answer<Path extends ReadPath> {
  readonly data: DataOf<Reads[Path]["body"]>
  /** Pagination of a list, otherwise empty. */
  readonly meta: MetaOf<Reads[Path]["body"]>
  /**
   * The whole response. Some sections have fields beside `data`, such as `season` of a leaderboard. Images have no
   * `data`: their body is the bytes of a PNG, or the text of an SVG.
   */
  readonly body: Reads[Path]["body"]
  /**
   * Time of the header `Date`, in milliseconds since the Unix epoch, in whole seconds. Undefined without the header.
   */
  readonly serverTime: number | undefined
}

type DataOf<Body> = Body extends { readonly data: infer Data } ? Data : never
type MetaOf<Body> = Body extends { readonly meta: infer Meta } ? Meta : never

export type ReadRequest<Path extends ReadPath> = (object extends Reads[Path]["params"]
  ? { readonly params?: Reads[Path]["params"] }
  : { readonly params: Reads[Path]["params"] }) & {
  readonly query?: Reads[Path]["query"]
  readonly signal?: AbortSignal
}

export interface ReadSettings {
  readonly timeoutMs: number
  readonly retries: number
}

interface AnyRequest {
  readonly params?: object
  readonly query?: object
  readonly signal?: AbortSignal
}

const limits = { baseDelayMs: 400, maxDelayMs: 5_000 }

/**
 * Retries after network errors and status 408, 429 and 5xx, but not before `Retry-After`. If that exceeds 30 s, for
 * example because the monthly quota is used up, rejects without a retry. Rejects with a `RequestError`, or with the
 * signal's reason if the caller aborts.
 */
export const read = async <Path extends ReadPath>(
  http: Http,
  settings: ReadSettings,
  path: Path,
  request: AnyRequest,
): Promise<Answer<Path>> => {
  const address = addressOf(path, request)
  const stop = request.signal ?? new AbortController().signal
  for (let attempt = 0; ; attempt++) {
    stop.throwIfAborted()
    try {
      return (await once(http, address, settings.timeoutMs, stop)) as Answer<Path>
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof RequestError) || attempt >= settings.retries || !isTransient(error)) throw error
      const atLeastMs = error.retryAfterMs ?? 0
      await pause(platformTiming, Math.max(atLeastMs, backoffMs(attempt, Math.random(), limits)), stop, atLeastMs)
    }
  }
}

const isTransient = ({ retryAfterMs = 0, status }: RequestError): boolean =>
  (status === undefined || status === 408 || status === 429 || status >= 500) && retryAfterMs <= defaults.longestRetryAfterMs

const addressOf = (path: string, { params = {}, query = {} }: AnyRequest): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(property(params, name))))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
  return search === "" ? filled : `${filled}?${search}`
}

const once = async (http: Http, address: string, timeoutMs: number, stop: AbortSignal): Promise<Answer<ReadPath>> => {
  // Node 18 does not have `AbortSignal.any`.
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  const timer = setTimeout(abort, timeoutMs)
  stop.addEventListener("abort", abort)
  try {
    const response = await http.get(address, { signal: attempt.signal })
    if (!response.ok) throw refused(response, await response.text())
    const body = await bodyOf(response)
    const date = Date.parse(response.headers.get("date") ?? "")
    const meta = property(body, "meta") ?? {}
    return { data: property(body, "data"), meta, body, serverTime: Number.isNaN(date) ? undefined : date } as Answer<ReadPath>
  } catch (cause) {
    if (cause instanceof RequestError) throw cause
    const isTimeout = attempt.signal.aborted
    throw new RequestError(isTimeout ? `no answer within ${timeoutMs} ms` : cause instanceof Error ? cause.message : String(cause), {
      cause,
    })
  } finally {
    clearTimeout(timer)
    stop.removeEventListener("abort", abort)
  }
}

/** JSON is parsed; images are bytes, and SVG is text. */
const bodyOf = async (response: Response): Promise<unknown> => {
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("image/svg+xml")) return response.text()
  return type.startsWith("image/") ? new Uint8Array(await response.arrayBuffer()) : parsed(await response.text())
}

const refused = (response: Response, text: string): RequestError => {
  const error = readApiError(text)
  // Errors of QR codes are a message without a code.
  const message = error?.message ?? property(parsed(text), "error")
  return new RequestError(typeof message === "string" ? message : `the server answered ${response.status}`, {
    status: response.status,
    code: error?.code,
    details: property(property(parsed(text), "error"), "details"),
    retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
  })
}
