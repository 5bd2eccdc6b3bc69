import { Context, Effect } from "effect"

/**
 * Runs before each message of an upgraded socket is passed to its reader. By default it waits for the next turn of the
 * event loop. Otherwise, a client that sends many messages at once would delay other clients until all are handled.
 */
export class BeforeMessage extends Context.Reference<Effect.Effect<void>>("@matchpoint/uws/BeforeMessage", {
  defaultValue: () => Effect.yieldNow,
}) {}
