/**
 * A cached customer: the agreed terms, and the state of rate limit and quota, which is loaded again every second.
 * Everything that a request needs is in this one object: between two requests of a customer, its data is evicted from
 * the CPU caches, and each additional object would cost as much as a hundred instructions.
 */
import { type AccountId, type ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import type { AccountMeter } from "@matchpoint/metering/AccountMeter"
import type { KeyTokens } from "@matchpoint/metering/KeyTokens"
import type { Lease } from "@matchpoint/metering/Lease"
import type { Meter } from "@matchpoint/metering/Meter"
import type { RateLimits } from "@matchpoint/metering/RateLimits"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Schema } from "effect"
import { LimitHeaders, type LimitTexts, rateLimit } from "./limitHeaders.ts"

/** Compares all fields of the schema, also those added later. */
const areAlike = Schema.toEquivalence(Customer)

export class KnownCustomer implements Customer {
  readonly plan: Customer["plan"]
  readonly game: Customer["game"]
  readonly addOns: Customer["addOns"]
  #key: KeyTokens | undefined = undefined
  #account: AccountMeter | undefined = undefined
  /** The lease from which requests are taken. */
  #lease: Lease | undefined = undefined
  #limits: LimitTexts | undefined = undefined
  readonly keyId: ApiKeyId
  readonly accountId: AccountId
  readonly requestsPerMonth: number
  readonly requestsPerSecond: number

  constructor({ accountId, addOns, game, keyId, plan, requestsPerMonth, requestsPerSecond }: Customer) {
    this.plan = plan
    this.game = game
    this.addOns = addOns
    this.keyId = keyId
    this.accountId = accountId
    this.requestsPerMonth = requestsPerMonth
    this.requestsPerSecond = requestsPerSecond
  }

  /** True if this is the same customer with the same terms. */
  isStill(customer: Customer): boolean {
    return areAlike(this, customer)
  }

  /**
   * If this returns false at `moment`, call `load` first. In all methods, `moment` is a time in milliseconds of the
   * clock of `Meter`.
   */
  isLoaded(moment: number): boolean {
    return this.#limits !== undefined && moment < this.#limits.goodUntil
  }

  load(key: KeyTokens, account: AccountMeter, limits: LimitTexts): void {
    this.#key = key
    this.#account = account
    this.#lease = undefined
    this.#limits = limits
  }

  /** If it returns false, use `RateLimits.acquire`, which can wait. */
  take(): boolean {
    return this.#key?.take() === true
  }

  /** Undefined: the caller must wait until `Meter` has another lease. */
  reserve(moment: number): Lease | undefined {
    const lease = this.#lease
    if (lease !== undefined) return lease.take() ? lease : undefined
    this.#lease = this.#account?.reserve(moment)
    return this.#lease
  }

  serve(lease: Lease): void {
    if (this.#limits === undefined) lease.release()
    else lease.serve("request", this.#limits.day)
  }

  addLimits(headers: OwnHeaders, moment: number): void {
    if (this.#key === undefined || this.#account === undefined || this.#limits === undefined) return
    headers["ratelimit-policy"] = this.#limits.policy
    const leftOfMonth = this.#lease?.remaining(this.requestsPerMonth) ?? this.#account.remaining(moment)
    headers["ratelimit"] = rateLimit(this.#key.remaining, leftOfMonth, this.#limits)
  }
}

/** Loads at most once per second. If the terms of a customer change, the customer gets a new object. */
export const customerLoader = (meter: Meter["Service"], rates: RateLimits["Service"]) => {
  const limits = new LimitHeaders(meter.clock)
  return (customer: Customer, moment: number): KnownCustomer => {
    const known = customer instanceof KnownCustomer ? customer : new KnownCustomer(customer)
    if (!known.isLoaded(moment)) known.load(rates.key(known, moment), meter.account(known, moment), limits.texts(known, moment))
    return known
  }
}
