/** Faults added in edition 3: the ones that meet while one owner follows another, and clocks that are wrong by hours. */
import type { Random } from "@matchpoint/simulator/random"
import type { Fault } from "./Plot.ts"

/** `fromMs`, `toMs`: the times between which faults may start. */
export const takeoverFaults = (random: Random, fromMs: number, toMs: number): ReadonlyArray<Fault> => {
  const anyTime = () => random.int(fromMs, toMs)
  const faults: Array<Fault> = []
  for (let takeovers = random.int(1, 5); takeovers > 0; takeovers--) faults.push(...takeoverAt(random, anyTime()))
  for (let jumps = random.int(0, 4); jumps > 0; jumps--) {
    const ofHours = random.chance(0.5)
    const most = ofHours ? 8 * HOUR_MS : 10 * MINUTE_MS
    faults.push({ _tag: "ClockJump", atMs: anyTime(), byMs: random.int(-most, most), ofOwner: random.chance(0.5) })
  }
  for (let questions = random.int(0, 3); questions > 0; questions--) faults.push({ _tag: "LogTimeUnknown", atMs: anyTime() })
  return faults
}

const takeoverAt = (random: Random, atMs: number): ReadonlyArray<Fault> => {
  const forMs = random.int(0, 10_000)
  const faults: Array<Fault> = [{ _tag: "OwnerKilled", atMs, forMs, losesCheckpoints: false }]
  // From the kill to a few seconds after the start of the next owner.
  if (random.chance(0.6)) faults.push({ _tag: "FeedTrimmed", atMs: atMs + random.int(0, forMs + 5_000), kept: random.int(0, 200) })
  if (random.chance(0.6)) {
    const earlyMs = random.int(0, MINUTE_MS)
    faults.push({ _tag: "StoreSlow", atMs: Math.max(0, atMs - earlyMs), forMs: earlyMs + random.int(MINUTE_MS, 4 * MINUTE_MS) })
  }
  return faults
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
