/**
 * Counts and measures HTTP responses by route, method and status. The route label is the router's pattern, never the
 * requested path, so clients cannot create new time series. A response costs two lookups and two metric updates, about
 * a microsecond.
 */
import { type Context, Metric } from "effect"

export const httpRequests = Metric.counter("matchpoint_http_requests_total", {
  description: "HTTP responses, by route, method and status code",
  incremental: true,
})

const boundaries = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
export const httpDuration = Metric.histogram("matchpoint_http_request_duration_seconds", {
  description: "Time from receiving the head of an HTTP request to handing over its response, by route and method",
  boundaries,
})

/** Route label without a matching route. */
export const UNMATCHED = "unmatched"

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

interface Series {
  readonly labels: { readonly route: string; readonly method: string }
  readonly duration: typeof httpDuration
  readonly byCode: Map<number, typeof httpRequests>
}

export class HttpMetrics {
  readonly #context: Context.Context<never>
  readonly #byRoute = new Map<string, Map<string, Series>>()

  constructor(context: Context.Context<never>) {
    this.#context = context
  }

  /** `route` is undefined if the request matched none. */
  answered(route: string | undefined, method: string, code: number, seconds: number): void {
    const series = this.#seriesOf(route === undefined || route === "*" ? UNMATCHED : route, methods.has(method) ? method : "other")
    let counter = series.byCode.get(code)
    if (counter === undefined) {
      const attributes = { ...series.labels, code: String(code) }
      counter = Metric.counter(httpRequests.id, { description: httpRequests.description, incremental: true, attributes })
      series.byCode.set(code, counter)
    }
    counter.updateUnsafe(1, this.#context)
    series.duration.updateUnsafe(seconds, this.#context)
  }

  #seriesOf(route: string, method: string): Series {
    let ofRoute = this.#byRoute.get(route)
    if (ofRoute === undefined) {
      ofRoute = new Map()
      this.#byRoute.set(route, ofRoute)
    }
    let series = ofRoute.get(method)
    if (series === undefined) {
      const labels = { route, method }
      series = {
        labels,
        byCode: new Map(),
        duration: Metric.histogram(httpDuration.id, { description: httpDuration.description, boundaries, attributes: labels }),
      }
      ofRoute.set(method, series)
    }
    return series
  }
}
