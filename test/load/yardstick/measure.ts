/** Measures the parts of the yardstick in turns. */
import { median } from "../lib/statistics.ts"
import { openSends, SENDS } from "./pinned/sends.ts"
import { DOCUMENTS, FOLDED, foldAll, writeAndRead } from "./pinned/work.ts"
import { onReference, type Parts } from "./reference.ts"

/** Turns before the first that counts, in which the code is compiled. */
const WARM_UP = 3

export interface Yardstick {
  /** CPU time of this machine relative to that of 24 November 2026: 2 means that everything takes twice the CPU. */
  readonly factor: number
  /** Medians of the turns. */
  readonly cpu: Parts
  /** Lowest and highest of all turns. */
  readonly range: { readonly [Part in keyof Parts]: readonly [lowest: number, highest: number] }
}

export const measureYardstick = async (turns: number): Promise<Yardstick> => {
  const sends = await openSends()
  const taken: { readonly [Part in keyof Parts]: Array<number> } = { foldUs: [], jsonUs: [], sendUs: [] }
  try {
    for (let turn = -WARM_UP; turn < turns; turn++) {
      const foldUs = await cpuUsPer(FOLDED, foldAll)
      const jsonUs = await cpuUsPer(DOCUMENTS, writeAndRead)
      const sendUs = await cpuUsPer(SENDS, sends.turn)
      if (turn < 0) continue
      taken.foldUs.push(foldUs)
      taken.jsonUs.push(jsonUs)
      taken.sendUs.push(sendUs)
    }
  } finally {
    await sends.close()
  }
  const cpu: Parts = { foldUs: median(taken.foldUs), jsonUs: median(taken.jsonUs), sendUs: median(taken.sendUs) }
  const rangeOf = (values: ReadonlyArray<number>) => [Math.min(...values), Math.max(...values)] as const
  return {
    factor: factorOf(cpu),
    cpu,
    range: { foldUs: rangeOf(taken.foldUs), jsonUs: rangeOf(taken.jsonUs), sendUs: rangeOf(taken.sendUs) },
  }
}

/** The geometric mean of the three ratios, so that each part counts the same. */
const factorOf = ({ foldUs, jsonUs, sendUs }: Parts): number =>
  Math.cbrt((foldUs / onReference.foldUs) * (jsonUs / onReference.jsonUs) * (sendUs / onReference.sendUs))

/** CPU time of all threads of this process per unit, in microseconds. */
const cpuUsPer = async (units: number, work: () => unknown): Promise<number> => {
  const since = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(since)
  return (user + system) / units
}
