/**
 * Every call requires an API key, and sending facts also requires the feed token. Both are read from the headers of the
 * HTTP request or of the WebSocket handshake.
 */
import { Schema } from "effect"
import { RpcMiddleware } from "effect/rpc"
import type { Caller } from "../http/Authentication.ts"
import { CallerUnknown, FeedTokenRefused, TryAgain } from "./errors.ts"

/** Requires an API key, in the header `x-api-key` or as a bearer token. */
export class KeyRequired extends RpcMiddleware.Service<KeyRequired, { provides: Caller }>()(
  "@matchpoint/contracts/rpc/access/KeyRequired",
  {
    error: Schema.Union([CallerUnknown, TryAgain]),
  },
) {}

/** Requires the feed token, in the header `x-feed-token`. */
export class FeedTokenRequired extends RpcMiddleware.Service<FeedTokenRequired>()("@matchpoint/contracts/rpc/access/FeedTokenRequired", {
  error: FeedTokenRefused,
}) {}
