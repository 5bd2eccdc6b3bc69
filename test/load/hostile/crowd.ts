// Owns the hostile clients: `node crowd.ts <port> <key> <feed token> <attacks, comma separated> <clients> <seconds>
// <actions per second and client>`. All run on this machine. The process ends by itself and sends the outcomes of the
// actions to its parent.
import { setTimeout as delay } from "node:timers/promises"
import { type Action, attackNames, attacks } from "./attacks.ts"

/** Counts of outcomes, by action. */
export type Outcomes = Readonly<Record<string, Readonly<Record<string, number>>>>

const [, , port, key = "", feedToken = "", named = "", ...numbers] = process.argv
const [clients = 0, seconds = 0, rate = 1] = numbers.map(Number)
const target = { port: Number(port), key, feedToken }
const asked = named.split(",")
const actions: ReadonlyArray<readonly [string, Action]> = attackNames
  .filter((name) => asked.includes(name))
  .flatMap((name) => Object.entries<Action>(attacks[name]))
const counts: Record<string, Record<string, number>> = {}
const endsAt = performance.now() + seconds * 1_000

const note = (name: string, outcome: string) => {
  counts[name] ??= {}
  const ofAction = counts[name]
  ofAction[outcome] = (ofAction[outcome] ?? 0) + 1
}

const attempt = async (name: string, action: Action) => note(name, await action(target).catch(() => "failed"))

/** One client. It does one action at a time and at most `rate` per second. Each client starts at a different action. */
const client = async (offset: number) => {
  for (let turn = offset; performance.now() < endsAt; turn++) {
    const [name, action] = actions[turn % actions.length] ?? []
    if (name === undefined || action === undefined) return
    await Promise.all([attempt(name, action), delay(1_000 / rate)])
  }
}

await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
process.send?.(counts satisfies Outcomes)
process.disconnect()
// Connections of attacks that do not end by themselves.
process.exit(0)
