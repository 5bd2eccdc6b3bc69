/** Collects the webhook events of one change of a match. */
import type { WebhookEvent } from "@matchpoint/contracts/webhook/webhookEvents"
import type { DataOf, EventTypes } from "../contract/webhookEventTypes.ts"

/** Ids by which customers can filter the events. */
export type Concerned = Pick<WebhookEvent, "teamIds" | "playerIds">

export class Announcement<Types extends EventTypes> {
  /** Events in their order. The event of a game comes before the event with the same `data` that all games share. */
  readonly list: Array<WebhookEvent> = []
  readonly #types: Types
  readonly #occurredAt: number
  readonly #concerned: Concerned

  /** `occurredAt` is in epoch milliseconds. */
  constructor(types: Types, occurredAt: number, concerned: Concerned) {
    this.#types = types
    this.#occurredAt = occurredAt
    this.#concerned = concerned
  }

  add<Name extends keyof Types & string>(name: Name, data: DataOf<Types, Name>, concerned: Concerned = this.#concerned): void {
    const { playerIds, teamIds } = concerned
    const event: WebhookEvent = { name, occurredAt: this.#occurredAt, teamIds, playerIds, data }
    this.list.push(event)
    const generic = this.#types[name]?.generic ?? null
    if (generic !== null) this.list.push({ ...event, name: generic })
  }
}
