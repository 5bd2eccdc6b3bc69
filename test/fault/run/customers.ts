/** The customers of a run: the crowd, followers of all matches, users of the TypeScript client, and a delayed plan. */
import { Effect, Schedule } from "effect"
import type { ClientGroup } from "../load/clients/orders.ts"
import type { MatchpointNode } from "../system/MatchpointNode.ts"
import { NotReady } from "../system/Program.ts"
import { type Account, createAccount, createWebhook, servedDocument } from "./accounts.ts"

export interface Customers {
  readonly groups: ReadonlyArray<ClientGroup>
  /** Account of each group, by its name. */
  readonly ofGroup: ReadonlyMap<string, Account>
  /** Account that reads documents. */
  readonly reader: Account
}

const DELAY_MS = 60_000
const LISTED_WITHIN = "60 seconds"

export const openAccounts = Effect.fnUntraced(function* (gateways: ReadonlyArray<MatchpointNode>, clients: number, receiverUrl: string) {
  const [gateway] = gateways
  if (gateway === undefined) return yield* Effect.die(new Error("a scenario needs a gateway"))
  const few = Math.max(2, Math.ceil(clients / 100))
  const shapes: ReadonlyArray<Pick<ClientGroup, "clients" | "delayMs" | "name" | "room" | "client">> = [
    { name: "crowd", clients, delayMs: 0, room: "match", client: "raw" },
    { name: "everything", clients: Math.min(10, few), delayMs: 0, room: "all", client: "raw" },
    { name: "sdk", clients: few, delayMs: 0, room: "match", client: "sdk" },
    { name: "delayed", clients: 3, delayMs: DELAY_MS, room: "all", client: "raw" },
  ]
  const opened = yield* Effect.forEach(
    shapes,
    (shape) => Effect.map(createAccount(gateway, termsOf(shape)), (account) => ({ group: { ...shape, key: account.secret }, account })),
    { concurrency: 4 },
  )
  const reader = yield* createAccount(gateway, { plan: "enterprise", label: "reader" })
  yield* createWebhook(gateway, reader, receiverUrl)
  const customers: Customers = {
    groups: opened.map(({ group }) => group),
    ofGroup: new Map(opened.map(({ account, group }) => [group.name, account])),
    reader,
  }
  return customers
})

/** A delayed plan has no WebSockets, but an operator may add them. */
const termsOf = ({ delayMs, name }: Pick<ClientGroup, "delayMs" | "name">) =>
  delayMs === 0
    ? { plan: "enterprise", label: name }
    : { plan: "free", label: name, addOns: ["live-websockets"], requestsPerMonth: 1_000_000 }

/** Waits until every gateway serves every match. */
export const untilListed = (gateways: ReadonlyArray<MatchpointNode>, reader: Account, matchIds: ReadonlyArray<string>) =>
  Effect.forEach(
    gateways.flatMap((gateway) => matchIds.map((matchId) => ({ gateway, matchId }))),
    ({ gateway, matchId }) =>
      servedDocument(gateway, reader, matchId).pipe(
        Effect.repeat({ until: (document) => document !== undefined, schedule: Schedule.spaced("100 millis") }),
        Effect.timeoutOrElse({
          duration: LISTED_WITHIN,
          orElse: () => Effect.fail(new NotReady({ message: `${gateway.name} does not serve ${matchId} within ${LISTED_WITHIN}` })),
        }),
      ),
    { concurrency: 8, discard: true },
  )
