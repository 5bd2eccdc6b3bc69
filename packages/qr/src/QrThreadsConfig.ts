import { availableParallelism } from "node:os"
import { Context } from "effect"

export interface QrThreadsSettings {
  /** Threads start with the first requests and end after some idle minutes. */
  readonly threads: number
  /** Images that wait for a thread. Further ones are rejected. */
  readonly queue: number
  /** Time limit of an image. A thread that exceeds it is ended and replaced. */
  readonly timeoutSeconds: number
}

/** One core stays free for the live path. */
const MOST_THREADS = 4
export const usualThreads = (): number => Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))

export class QrThreadsConfig extends Context.Reference<QrThreadsSettings>("@matchpoint/qr/QrThreadsConfig", {
  defaultValue: () => ({ threads: usualThreads(), queue: 64, timeoutSeconds: 10 }),
}) {}
