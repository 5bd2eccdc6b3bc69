/**
 * A cached customer: the agreed terms (such as plan, quota and rate), and the state of rate limit and quota, which is
 * loaded again every second. For performance, everything that a request needs is in this one object. Between two
 * requests of a customer, the customer's data is evicted from the CPU caches, so reading each additional object would
 * cost as much as a hundred instructions.
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

/** Compares all fields of the schema, so that fields added later are compared automatically. */
const areAlike = Schema.toEquivalence(Customer)

export class KnownCustomer implements Customer {
  readonly plan: Customer["plan"]
  readonly game: Customer["game"]
  readonly addOns: Customer["addOns"]
  #key: KeyTokens | undefined = undefined
  #account: AccountMeter | undefined = undefined
  /**
   * Block of requests that is currently reserved from the account's quota for this customer. Requests are taken from
   * it.
   */
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

  /** Returns true if this is the same customer with the same terms. */
  isStill(customer: Customer): boolean {
    return areAlike(this, customer)
  }

  /**
   * Returns true if the loaded rate and quota state of the customer is valid at `moment`. If it returns false, call
   * `load` first. In all methods of this class, `moment` is a time in milliseconds of the clock that `Meter` uses.
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

  /**
   * Takes one request from the key's rate limit without waiting. If it returns false, the caller must use
   * `RateLimits.acquire` instead, which can wait.
   */
  take(): boolean {
    return this.#key?.take() === true
  }

  /**
   * Reserves one request from the account's quota without waiting. If it returns undefined, the caller must wait until
   * Meter has reserved another block of requests.
   */
  reserve(moment: number): Lease | undefined {
    const lease = this.#lease
    if (lease !== undefined) return lease.take() ? lease : undefined
    this.#lease = this.#account?.reserve(moment)
    return this.#lease
  }

  /** Charges the request that was reserved from the account's quota. */
  serve(lease: Lease): void {
    if (this.#limits === undefined) lease.release()
    else lease.serve("request", this.#limits.day)
  }

  /** Adds the customer's remaining limits to the response headers. */
  addLimits(headers: OwnHeaders, moment: number): void {
    if (this.#key === undefined || this.#account === undefined || this.#limits === undefined) return
    headers["ratelimit-policy"] = this.#limits.policy
    const leftOfMonth = this.#lease?.remaining(this.requestsPerMonth) ?? this.#account.remaining(moment)
    headers["ratelimit"] = rateLimit(this.#key.remaining, leftOfMonth, this.#limits)
  }
}

/**
 * Returns a function that loads the rate and quota state of a customer, at most once per second. If the terms of a
 * customer change, the customer gets a new object.
 */
export const customerLoader = (meter: Meter["Service"], rates: RateLimits["Service"]) => {
  const limits = new LimitHeaders(meter.clock)
  return (customer: Customer, moment: number): KnownCustomer => {
    const known = customer instanceof KnownCustomer ? customer : new KnownCustomer(customer)
    if (!known.isLoaded(moment)) known.load(rates.key(known, moment), meter.account(known, moment), limits.texts(known, moment))
    return known
  }
}
