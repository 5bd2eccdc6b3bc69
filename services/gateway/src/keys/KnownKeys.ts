/**
 * Valid API keys with their customers, and rejected keys. Their size limits are separate, so that attempts with unknown
 * keys cannot evict customers. Callers pass the time in monotonic milliseconds.
 */
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { boundedCache } from "@matchpoint/domain/boundedCache"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { KnownCustomer } from "./KnownCustomer.ts"

export class KnownKey {
  readonly customer: KnownCustomer
  /** The customer as an effect, so that a request does not have to create one. */
  readonly found: Effect.Effect<Customer>
  /** Time of the last query. Later changes of the key are not reflected yet. */
  queriedAt: number
  /** True while a refresh is scheduled or running. */
  isDue = false

  constructor(customer: Customer, queriedAt: number) {
    this.customer = new KnownCustomer(customer)
    this.found = Effect.succeed(this.customer)
    this.queriedAt = queriedAt
  }
}

const MAX_CUSTOMERS = 20_000
const MAX_UNKNOWN_SECRETS = 10_000

export class KnownKeys {
  /** Valid keys by secret. Only `keep` counts as use, so the key with the oldest result is evicted first. */
  readonly #customers = new LRUCache<string, KnownKey>(boundedCache(MAX_CUSTOMERS))
  readonly #unknownSecrets = new LRUCache<string, number>(boundedCache(MAX_UNKNOWN_SECRETS))
  #forgotten = 0

  /** Calls of `forget` so far. If it has changed during a query, the result may be outdated and must not be cached. */
  get forgotten(): number {
    return this.#forgotten
  }

  get(secret: string): KnownKey | undefined {
    return this.#customers.peek(secret)
  }

  /** If the terms are unchanged, the existing customer object is kept. */
  keep(secret: string, customer: Customer, queriedAt: number): void {
    this.#unknownSecrets.delete(secret)
    const known = this.#customers.peek(secret)
    const kept = known?.customer.isStill(customer) === true ? known : new KnownKey(customer, queriedAt)
    kept.queriedAt = queriedAt
    this.#customers.set(secret, kept)
  }

  refuse(secret: string, queriedAt: number): void {
    this.#customers.delete(secret)
    this.#unknownSecrets.set(secret, queriedAt)
  }

  /** Time of the query that showed that the secret is invalid. Undefined if no rejection is cached. */
  refusedAt(secret: string): number | undefined {
    return this.#unknownSecrets.peek(secret)
  }

  /** Result of a query at `queriedAt`. Keys that are not in the cache are ignored. */
  confirm(current: ReadonlyMap<ApiKeyId, Customer>, queriedAt: number): void {
    for (const secret of [...this.#customers.rkeys()]) {
      const known = this.#customers.peek(secret)
      const customer = known === undefined ? undefined : current.get(known.customer.keyId)
      if (known !== undefined && customer !== undefined && known.queriedAt < queriedAt) this.keep(secret, customer, queriedAt)
    }
  }

  forget(keyId: ApiKeyId): void {
    this.#forgotten += 1
    for (const secret of [...this.#customers.keys()]) {
      if (this.#customers.peek(secret)?.customer.keyId === keyId) this.#customers.delete(secret)
    }
  }
}
