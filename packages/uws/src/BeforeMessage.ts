import { Context, Effect } from "effect"

/**
 * Effect that runs before each message that an upgraded socket passes to its reader. By default it waits for the next
 * turn of the event loop, so that a client that sends many messages at once does not delay other clients until all its
 * messages are handled.
 */
export class BeforeMessage extends Context.Reference<Effect.Effect<void>>("@matchpoint/uws/BeforeMessage", {
  defaultValue: () => Effect.yieldNow,
}) {}
