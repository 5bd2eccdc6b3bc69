/**
 * Limits the effect of an unexpected error to one connection. If the error were thrown into the native event loop, it
 * would end the process.
 */
import { type Context, Effect } from "effect"

/** Runs `work` for one connection. If it throws, the error is logged and `end` is called to end that connection. */
export const containedIn =
  (context: Context.Context<never>) =>
  (end: () => void, work: () => void): void => {
    try {
      work()
    } catch (defect) {
      Effect.runForkWith(context)(Effect.logError("a live connection failed", defect))
      end()
    }
  }
