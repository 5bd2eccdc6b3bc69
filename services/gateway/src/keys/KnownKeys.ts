/**
 * Cache of API keys: valid keys with their customers, and rejected keys. The two groups have separate size limits, so
 * that attempts with unknown keys cannot evict customers. The cache has no clock, so callers pass the time in monotonic
 * milliseconds.
 */
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { Effect } from "effect"
import { KnownCustomer } from "./KnownCustomer.ts"

export class KnownKey {
  readonly customer: KnownCustomer
  /** An effect that succeeds with the customer. It is created only once, because it is returned for every request. */
  readonly found: Effect.Effect<Customer>
  /** Time of the last database query for this key. Later changes to the key are not reflected yet. */
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
  /** Valid keys by secret, sorted by the time of the query that returned them, oldest first. */
  readonly #customers = new Map<string, KnownKey>()
  readonly #unknownSecrets = new Map<string, number>()
  #forgotten = 0

  /**
   * Number of `forget` calls so far. If this number has changed while a query was running, the query result may be
   * outdated and must not be cached.
   */
  get forgotten(): number {
    return this.#forgotten
  }

  get(secret: string): KnownKey | undefined {
    return this.#customers.get(secret)
  }

  /** Stores a query result. If the customer's terms are unchanged, the existing customer object is kept. */
  keep(secret: string, customer: Customer, queriedAt: number): void {
    this.#unknownSecrets.delete(secret)
    const known = this.#customers.get(secret)
    const kept = known?.customer.isStill(customer) === true ? known : new KnownKey(customer, queriedAt)
    kept.queriedAt = queriedAt
    putLast(this.#customers, secret, kept, MAX_CUSTOMERS)
  }

  /** Records that the secret belongs to no customer. */
  refuse(secret: string, queriedAt: number): void {
    this.#customers.delete(secret)
    putLast(this.#unknownSecrets, secret, queriedAt, MAX_UNKNOWN_SECRETS)
  }

  /**
   * Returns the time at which a database query last showed that the secret is invalid, or undefined if no rejection is
   * cached.
   */
  refusedAt(secret: string): number | undefined {
    return this.#unknownSecrets.get(secret)
  }

  /**
   * Updates cached keys with the result of a database query made at `queriedAt`. Keys that are not in the cache are
   * ignored.
   */
  confirm(current: ReadonlyMap<ApiKeyId, Customer>, queriedAt: number): void {
    for (const [secret, known] of [...this.#customers]) {
      const customer = current.get(known.customer.keyId)
      if (customer !== undefined && known.queriedAt < queriedAt) this.keep(secret, customer, queriedAt)
    }
  }

  forget(keyId: ApiKeyId): void {
    this.#forgotten += 1
    for (const [secret, { customer }] of this.#customers) if (customer.keyId === keyId) this.#customers.delete(secret)
  }
}

const putLast = <A>(map: Map<string, A>, key: string, value: A, capacity: number): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= capacity) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
