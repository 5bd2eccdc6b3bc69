/** The accounts of a run: their API keys, their webhook and their bills. Uses the admin API and the public API. */
import { tennisWebhookEvents } from "@matchpoint/tennis/contract/webhookEvents"
import { Effect, Schedule } from "effect"
import { requestJson } from "../system/http.ts"
import { ADMIN_TOKEN, type MatchpointNode } from "../system/MatchpointNode.ts"

export interface Account {
  readonly accountId: string
  readonly secret: string
}

interface Envelope<A> {
  readonly data: A
}

const patiently = Schedule.spaced("250 millis")

const admin = { "x-admin-token": ADMIN_TOKEN, "x-admin-actor": "fault-harness" }

export interface AccountTerms {
  readonly plan: string
  readonly label: string
  readonly addOns?: ReadonlyArray<string>
  readonly requestsPerMonth?: number
}

export const createAccount = ({ adminPort }: MatchpointNode, terms: AccountTerms) =>
  requestJson<Envelope<Account>>(`http://127.0.0.1:${adminPort}/admin/v1/keys`, { method: "POST", headers: admin, body: terms }).pipe(
    Effect.map(({ data }) => data),
    Effect.retry({ schedule: patiently, times: 20 }),
  )

/** Subscribes a webhook to every event of tennis. */
export const createWebhook = ({ port }: MatchpointNode, { secret }: Account, url: string) =>
  requestJson<Envelope<{ readonly id: string }>>(`http://127.0.0.1:${port}/api/v1/webhooks`, {
    method: "POST",
    headers: { "x-api-key": secret },
    body: { url, events: webhookNames, description: "fault harness" },
  })

/** Names of the events of tennis, and of the generic events that accompany them. */
const webhookNames: ReadonlyArray<string> = [
  ...new Set(Object.entries(tennisWebhookEvents).flatMap(([name, { generic }]) => (generic === null ? [name] : [name, generic]))),
]

/** Returns the ticks of streams that an account has been billed for in this month. */
export const billedTicks = ({ adminPort }: MatchpointNode, accountId: string) =>
  requestJson<Envelope<{ readonly streamTicks: number }>>(`http://127.0.0.1:${adminPort}/admin/v1/accounts/${accountId}/usage`, {
    headers: admin,
  }).pipe(
    Effect.map(({ data }) => data.streamTicks),
    Effect.retry({ schedule: patiently, times: 20 }),
  )

/** Returns the document of a match as a gateway serves it, or undefined if it answers with an error. */
export const servedDocument = ({ port }: MatchpointNode, { secret }: Account, matchId: string) =>
  requestJson<Envelope<unknown>>(`http://127.0.0.1:${port}/api/v1/tennis/matches/live/${matchId}`, {
    headers: { "x-api-key": secret },
  }).pipe(
    Effect.map(({ data }) => data),
    Effect.orElseSucceed(() => undefined),
  )
