import { Context, Effect } from "effect"

/**
 * Runs before each message that an upgraded socket hands over to its reader. Default: continues in the next turn of the event loop, so that a
 * client that sends many messages at once does not delay other clients until all of them are handled.
 */
export class BeforeMessage extends Context.Reference<Effect.Effect<void>>("@matchpoint/uws/BeforeMessage", {
  defaultValue: () => Effect.yieldNow,
}) {}
