/**
 * Answers carry a strong ETag of their bytes, and a GET that names it in `If-None-Match` gets 304 and no body, which costs no request of
 * the quota. For sections whose answers are computed anew each time; live reads have tags of their own, which say where the stream is.
 */
import { HttpApiMiddleware } from "effect/http-api"

export class ConditionalGet extends HttpApiMiddleware.Service<ConditionalGet>()("@matchpoint/contracts/http/ConditionalGet") {}
