// Owns the hostile clients: `node crowd.ts <port> <key> <clients> <seconds> <attacks per second and client>`. All run
// on this machine. The process ends by itself and sends the outcomes of the attacks to its parent.
import { setTimeout as delay } from "node:timers/promises"
import { type Attack, attacks } from "./attacks.ts"

/** Counts of outcomes, by attack. */
export type Outcomes = Readonly<Record<string, Readonly<Record<string, number>>>>

const [, , port, key = "", ...numbers] = process.argv
const [clients = 0, seconds = 0, rate = 1] = numbers.map(Number)
const target = { port: Number(port), key }
const entries = Object.entries(attacks)
const counts: Record<string, Record<string, number>> = {}
const endsAt = performance.now() + seconds * 1_000

const note = (name: string, outcome: string) => {
  counts[name] ??= {}
  const ofAttack = counts[name]
  ofAttack[outcome] = (ofAttack[outcome] ?? 0) + 1
}

const attempt = async (name: string, attack: Attack) => note(name, await attack(target).catch(() => "failed"))

/** One client. It runs one attack at a time and at most `rate` per second. Each client starts at a different attack. */
const client = async (offset: number) => {
  for (let turn = offset; performance.now() < endsAt; turn++) {
    const [name, attack] = entries[turn % entries.length] ?? []
    if (name === undefined || attack === undefined) return
    await Promise.all([attempt(name, attack), delay(1_000 / rate)])
  }
}

await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
process.send?.(counts satisfies Outcomes)
process.disconnect()
