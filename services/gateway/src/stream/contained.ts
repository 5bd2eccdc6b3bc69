/** Keeps a bug in the connection it shows itself on: thrown into the native loop it would end the process. */
import { type Context, Effect } from "effect"

/** Runs the work of one connection; if it throws, the defect is logged and `end` ends that connection. */
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
