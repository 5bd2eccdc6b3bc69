/**
 * Seeds that once found a problem. They stay as regression tests: one entry each, with a description of the problem.
 */
import type { Edition } from "./play/Plot.ts"

export interface FailedSeed {
  readonly seed: number
  /** Edition of the plot in which the seed found the problem. */
  readonly edition: Edition
  readonly found: string
}

export const seedsThatFailed: ReadonlyArray<FailedSeed> = [
  {
    seed: 4,
    edition: 1,
    found: "followers of `all` received no snapshot of a match that was announced and not yet live, and then its second frame",
  },
  { seed: 8, edition: 1, found: "a gap announced less than was missing, after the ring had moved past a slow client" },
  {
    seed: 11,
    edition: 1,
    found: "several rooms resumed at once: one went live before its cursor was checked, and lost the frames between",
  },
  {
    seed: 20,
    edition: 1,
    found: "frames read back from the log counted as already sent, because the ring had dropped the ones before them",
  },
  { seed: 54, edition: 1, found: "a gap announced more than was missing, in a match that had been idle when the client fell behind" },
  {
    seed: 214,
    edition: 1,
    found: "an owner frozen for longer than LIVE remembers ids published old frames again, and they were read back from the log",
  },
  { seed: 474, edition: 1, found: "a cursor older than a small LIVE log was mistaken for one ahead of a gateway that had just started" },
  {
    seed: 1080,
    edition: 1,
    found: "snapshots after a gap were newer than the gap had announced, and the frames between were never mentioned",
  },
  {
    seed: 2102,
    edition: 1,
    found: "an owner frozen for minutes published old frames again after the log had forgotten their ids, and a small LIVE kept only those",
  },
  {
    seed: 326,
    edition: 1,
    found:
      "holes in LIVE: v1 continued with an update instead of the announced snapshot, conflated followers got no notice, gaps started too late",
  },
  {
    seed: 283,
    edition: 1,
    found: "the first frame an edge ever saw of a match was a delta without a base, because the log had forgotten the rest",
  },
  {
    seed: 62,
    edition: 3,
    found: "after the loss of the log, facts that had arrived since were published in the old epoch, without a base",
  },
  {
    seed: 212,
    edition: 3,
    found: "a match that had lost history before took FEED for the whole match when its checkpoint could not be read",
  },
  { seed: 497, edition: 3, found: "facts after a hole in FEED were published in the old epoch, on another base than that of LIVE" },
  {
    seed: 740,
    edition: 3,
    found: "a match without checkpoint and first fact stopped: its new epoch was announced before it had a state, and not again",
  },
  { seed: 673, edition: 3, found: "after the loss of the log, the delayed tier took list entries of the lost log into its empty rooms" },
]
