/**
 * Replaces Node's timers, clock and random numbers for code that does not use Effect's. The replacement lasts while a
 * simulation runs, and a simulation never yields the thread.
 */
import { Random } from "@matchpoint/simulator/random"
import type { VirtualLoop } from "./VirtualLoop.ts"

interface Cancellable {
  readonly cancel: () => void
  readonly ref: () => Cancellable
  readonly unref: () => Cancellable
}

export const runWithGlobals = <A>(loop: VirtualLoop, seed: number, run: () => A): A => {
  const random = new Random(seed)
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate }
  const { now } = Date
  const dice = Math.random
  const handle = (cancel: () => void): Cancellable => {
    const self: Cancellable = { cancel, ref: () => self, unref: () => self }
    return self
  }
  const clear = (timer: Cancellable | undefined) => timer?.cancel()
  type Callback = (...args: ReadonlyArray<unknown>) => void
  const later = (run: Callback, ms = 1, ...args: ReadonlyArray<unknown>) => handle(loop.timer(ms, () => run(...args)))
  const repeated = (run: Callback, ms = 1, ...args: ReadonlyArray<unknown>) => {
    let stop: () => void = () => {}
    const again = () => {
      stop = loop.timer(ms, again)
      run(...args)
    }
    stop = loop.timer(ms, again)
    return handle(() => stop())
  }
  const soon = (run: Callback, ...args: ReadonlyArray<unknown>) => handle(loop.immediate(() => run(...args)))
  Object.assign(globalThis, {
    setTimeout: later,
    clearTimeout: clear,
    setInterval: repeated,
    clearInterval: clear,
    setImmediate: soon,
    clearImmediate: clear,
  })
  Object.assign(Date, { now: () => loop.now })
  Object.assign(Math, { random: () => random.next() })
  try {
    return run()
  } finally {
    Object.assign(globalThis, real)
    Object.assign(Date, { now })
    Object.assign(Math, { random: dice })
  }
}
