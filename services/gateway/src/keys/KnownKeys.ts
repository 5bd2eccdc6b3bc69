/**
 * What is remembered of secrets: whose they are, and which are nobody's. Two bounded stores, so that strangers who try secrets cannot push
 * customers out. Plain data; times are monotonic ms and given by the caller.
 */
import type { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { Effect } from "effect"
import { KnownCustomer } from "./KnownCustomer.ts"

export class KnownKey {
  readonly customer: KnownCustomer
  /** The same, ready to be given back. */
  readonly found: Effect.Effect<Customer>
  /** When the store was asked last: from then on its answer may be wrong. */
  askedAt: number
  /** It is about to be asked again. */
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
  /** Oldest answers first. */
  readonly #customers = new Map<string, KnownKey>()
  readonly #strangers = new Map<string, number>()
  #forgotten = 0

  /** Counts what was forgotten: an answer that was asked for before that is not to be kept. */
  get forgotten(): number {
    return this.#forgotten
  }

  get(secret: string): KnownKey | undefined {
    return this.#customers.get(secret)
  }

  /** Whose terms are the same stays who he was. */
  keep(secret: string, customer: Customer, askedAt: number): void {
    this.#strangers.delete(secret)
    const known = this.#customers.get(secret)
    const kept = known?.customer.isStill(customer) === true ? known : new KnownKey(customer, askedAt)
    kept.askedAt = askedAt
    putLast(this.#customers, secret, kept, CUSTOMERS)
  }

  /** The secret is nobody's (any more). */
  refuse(secret: string, askedAt: number): void {
    this.#customers.delete(secret)
    putLast(this.#strangers, secret, askedAt, STRANGERS)
  }

  /** When the store said last that the secret is nobody's. */
  refusedAt(secret: string): number | undefined {
    return this.#strangers.get(secret)
  }

  /** The store knew these keys when it was asked at `askedAt`. Keys that are not remembered stay so. */
  confirm(current: ReadonlyMap<ApiKeyId, Customer>, askedAt: number): void {
    for (const [secret, known] of [...this.#customers]) {
      const customer = current.get(known.customer.keyId)
      if (customer !== undefined && known.askedAt < askedAt) this.keep(secret, customer, askedAt)
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
