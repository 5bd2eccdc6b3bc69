/** Who may call: every call needs an API key, telling facts the feed token too. Both are read from the headers of the request or handshake. */

import { Schema } from "effect"
import { RpcMiddleware } from "effect/rpc"
import type { Caller } from "../http/Authentication.ts"
import { CallerUnknown, FeedTokenRefused, TryAgain } from "./errors.ts"

/** Header `x-api-key`, or a bearer token. The key's plan decides what the call sees. */
export class KeyRequired extends RpcMiddleware.Service<KeyRequired, { provides: Caller }>()(
  "@matchpoint/contracts/rpc/access/KeyRequired",
  {
    error: Schema.Union([CallerUnknown, TryAgain]),
  },
) {}

/** Header `x-feed-token`. */
export class FeedTokenRequired extends RpcMiddleware.Service<FeedTokenRequired>()("@matchpoint/contracts/rpc/access/FeedTokenRequired", {
  error: FeedTokenRefused,
}) {}
