/** Finds objects that the garbage collector could not free, for tests of what a structure keeps in memory. */
import { setTimeout as delay } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Returns the indexes of the objects that are still reachable. */
export const retained = async (references: ReadonlyArray<WeakRef<object>>): Promise<ReadonlyArray<number>> => {
  // A WeakRef keeps its object alive until the end of the turn that created or read it.
  await delay(0)
  collect()
  return references.flatMap((reference, index) => (reference.deref() === undefined ? [] : [index]))
}
