import { Context, Effect } from "effect"

/**
 * Runs before each message of an upgraded socket. By default it waits for the next turn of the event loop: otherwise a
 * client with many messages at once would delay others.
 */
export class BeforeMessage extends Context.Reference<Effect.Effect<void>>("@matchpoint/uws/BeforeMessage", {
  defaultValue: () => Effect.yieldNow,
}) {}
