/**
 * Cache of API keys: known keys with their customers, and rejected keys. The two are bounded separately, so that
 * attempts with unknown keys cannot displace customers. Plain data without a clock. Callers pass the time in monotonic
 * milliseconds.
 */
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { KnownCustomer } from "./KnownCustomer.ts"

export class KnownKey {
  readonly customer: KnownCustomer
  /** The customer as an effect, built once. */
  readonly found: Effect.Effect<Customer>
  /** Time of the last store query. Later changes are unknown. */
  askedAt: number
  /** True while a refresh is scheduled or running. */
  isDue = false

  constructor(customer: Customer, askedAt: number) {
    this.customer = new KnownCustomer(customer)
    this.found = Effect.succeed(this.customer)
    this.askedAt = askedAt
  }
}

const CUSTOMERS = 20_000
const STRANGERS = 10_000

export class KnownKeys {
  /** Known keys by secret. Only `keep` counts as use, so the key with the oldest result is removed first. */
  readonly #customers = new LRUCache<string, KnownKey>({ max: CUSTOMERS })
  readonly #strangers = new LRUCache<string, number>({ max: STRANGERS })
  #forgotten = 0

  /** Number of `forget` calls. A query result must be discarded if this number has changed since the query started. */
  get forgotten(): number {
    return this.#forgotten
  }

  get(secret: string): KnownKey | undefined {
    return this.#customers.peek(secret)
  }

  /** Stores a query result. Keeps the existing instance if the terms are unchanged. */
  keep(secret: string, customer: Customer, askedAt: number): void {
    this.#strangers.delete(secret)
    const known = this.#customers.peek(secret)
    const kept = known?.customer.isStill(customer) === true ? known : new KnownKey(customer, askedAt)
    kept.askedAt = askedAt
    this.#customers.set(secret, kept)
  }

  /** Records that the secret belongs to no customer. */
  refuse(secret: string, askedAt: number): void {
    this.#customers.delete(secret)
    this.#strangers.set(secret, askedAt)
  }

  /** Time at which the store last rejected the secret. */
  refusedAt(secret: string): number | undefined {
    return this.#strangers.peek(secret)
  }

  /** Takes over the result of a store query made at `askedAt`. Keys that are not cached are ignored. */
  confirm(current: ReadonlyMap<ApiKeyId, Customer>, askedAt: number): void {
    for (const secret of [...this.#customers.rkeys()]) {
      const known = this.#customers.peek(secret)
      const customer = known === undefined ? undefined : current.get(known.customer.keyId)
      if (known !== undefined && customer !== undefined && known.askedAt < askedAt) this.keep(secret, customer, askedAt)
    }
  }

  forget(keyId: ApiKeyId): void {
    this.#forgotten += 1
    for (const secret of [...this.#customers.keys()]) {
      if (this.#customers.peek(secret)?.customer.keyId === keyId) this.#customers.delete(secret)
    }
  }
}
