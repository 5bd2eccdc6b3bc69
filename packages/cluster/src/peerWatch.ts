/**
 * Notices a member whose process has ended before its ownership expires: its machine refuses connections to its port.
 * Such a member is removed at once. A member that does not answer, because it hangs or its network is cut, is not
 * removed here.
 */
import { connect } from "node:net"
import { Effect } from "effect"
import type { RunnerAddress } from "effect/cluster"

/** Interval of the attempts to connect to a member, and time for its answer. */
const ASK_EVERY_MS = 250
const ANSWERS_WITHIN_MS = 200
/** Refusals in a row. A single one may come from a process that is about to listen. */
const REFUSALS = 2

export const isRefused = ({ host, port }: Pick<RunnerAddress.RunnerAddress, "host" | "port">): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ host, port })
    socket.setTimeout(ANSWERS_WITHIN_MS)
    const answer = (refused: boolean) => {
      socket.destroy()
      resume(Effect.succeed(refused))
    }
    socket.once("connect", () => answer(false))
    socket.once("timeout", () => answer(false))
    socket.once("error", (error) => answer("code" in error && error.code === "ECONNREFUSED"))
    return Effect.sync(() => socket.destroy())
  })

export interface PeerWatchOptions<E> {
  readonly self: RunnerAddress.RunnerAddress
  readonly members: () => ReadonlyArray<RunnerAddress.RunnerAddress>
  readonly remove: (address: RunnerAddress.RunnerAddress) => Effect.Effect<void, E>
}

/** Watches the other members without an end. */
export const watchPeers = <E>({ members, remove, self }: PeerWatchOptions<E>): Effect.Effect<never> => {
  const refusals = new Map<string, number>()
  const check = Effect.fnUntraced(function* (address: RunnerAddress.RunnerAddress) {
    const key = String(address)
    if (!(yield* isRefused(address))) {
      refusals.delete(key)
      return
    }
    const count = (refusals.get(key) ?? 0) + 1
    refusals.set(key, count)
    if (count < REFUSALS) return
    refusals.delete(key)
    yield* Effect.logWarning(`the match process at ${address.host}:${address.port} has ended; others take over its matches`)
    yield* Effect.catch(remove(address), (error) => Effect.logWarning("a member that has ended cannot be removed; it expires", error))
  })
  return Effect.suspend(() =>
    Effect.forEach(
      members().filter((address) => String(address) !== String(self)),
      check,
      { concurrency: 16, discard: true },
    ),
  ).pipe(Effect.andThen(Effect.sleep(ASK_EVERY_MS)), Effect.forever)
}
