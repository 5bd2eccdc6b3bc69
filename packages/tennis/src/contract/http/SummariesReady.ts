/**
 * Middleware of the endpoints that read the summaries of the archive, such as players, totals and draws. If an import
 * was begun and its summaries were never computed, it answers 503 instead of lists without rows and 404 for players that
 * exist.
 */
import { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { HttpApiMiddleware } from "effect/http-api"

export class SummariesReady extends HttpApiMiddleware.Service<SummariesReady>()("@matchpoint/tennis/contract/http/SummariesReady", {
  error: [ServiceUnavailable],
}) {}
