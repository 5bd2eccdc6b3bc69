/** The async iterable that a caller reads. Notices between the changes are passed to `onNotice`. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { LiveOptions } from "../ClientOptions.ts"
import type { FollowItem } from "../follow/FollowState.ts"
import type { LiveChange } from "../LiveChange.ts"

export interface FollowOptions<S extends Shape, G extends string> extends LiveOptions<S, G> {
  /** Ends the iteration and closes the connection, even while the reader waits for the next change. */
  readonly signal?: AbortSignal
}

/** Each iteration calls `run`, which opens a connection. `break` and `return()` close it. */
export const changes = <S extends Shape, G extends string>(
  run: (stop: AbortSignal) => AsyncGenerator<FollowItem, void, undefined>,
  { onNotice, signal }: FollowOptions<S, G>,
): AsyncIterable<LiveChange<S, G>> => ({
  [Symbol.asyncIterator]: () => {
    const controller = new AbortController()
    const abort = () => controller.abort()
    const end = () => {
      signal?.removeEventListener("abort", abort)
      abort()
    }
    if (signal?.aborted === true) abort()
    else signal?.addEventListener("abort", abort)
    const items = run(controller.signal)
    return {
      next: async () => {
        try {
          for (;;) {
            const { done, value } = await items.next()
            if (done === true) break
            if (value._tag === "Change") return { done: false, value: value.change as LiveChange<Shape, string> as LiveChange<S, G> }
            onNotice?.(value.notice)
          }
        } catch (error) {
          end()
          // Closes the connection if `onNotice` has thrown.
          await items.return()
          throw error
        }
        end()
        return { done: true, value: undefined }
      },
      return: async () => {
        end()
        await items.return()
        return { done: true, value: undefined }
      },
    }
  },
})
