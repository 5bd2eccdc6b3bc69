/** Draws different texts for some seconds, and counts the CPU time of the process. */
import type { Variant } from "./variants.ts"

export interface Turn {
  /** CPU time per image in milliseconds, of all threads of this process. */
  readonly cpuMs: number
  /** Mean size of the files. */
  readonly bytes: number
}

export const measure = async (
  variant: Variant,
  load: { readonly size: number; readonly length: number },
  seconds: number,
): Promise<Turn> => {
  let images = 0
  let bytes = 0
  const since = process.cpuUsage()
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; images++) {
    const file = await variant(textOf(images, load.length), load.size)
    bytes += file.byteLength
  }
  const { system, user } = process.cpuUsage(since)
  return { cpuMs: (user + system) / 1_000 / images, bytes: bytes / images }
}

const textOf = (number: number, length: number): string => `https://example.com/${number}/`.padEnd(length, "abcdefghij")
