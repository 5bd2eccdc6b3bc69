/**
 * A customer as this gateway knows him: his terms, and for a second at a time how he stands. Between two requests of a customer nothing of
 * him stays in the processor's caches, so that each object that a request has to go to costs as much as a hundred of its instructions;
 * what would have to be looked up is kept here.
 */
import { type AccountId, type ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import type { AccountMeter } from "@matchpoint/metering/AccountMeter"
import type { KeyRate } from "@matchpoint/metering/KeyRate"
import type { Lease } from "@matchpoint/metering/Lease"
import type { Meter } from "@matchpoint/metering/Meter"
import type { RateLimits } from "@matchpoint/metering/RateLimits"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Schema } from "effect"
import { LimitHeaders, type LimitTexts, rateLimit } from "./limitHeaders.ts"

/** Whatever terms there will be. */
const areAlike = Schema.toEquivalence(Customer)

export class KnownCustomer implements Customer {
  readonly plan: Customer["plan"]
  readonly game: Customer["game"]
  readonly addOns: Customer["addOns"]
  #key: KeyRate | undefined = undefined
  #account: AccountMeter | undefined = undefined
  /** Of the account, in this second. */
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

  /** The same customer on the same terms. */
  isStill(customer: Customer): boolean {
    return areAlike(this, customer)
  }

  /** False: he has to be met. His owners keep his key and account for as long. `moment` as Meter counts, here and below. */
  isMet(moment: number): boolean {
    return this.#limits !== undefined && moment < this.#limits.goodUntil
  }

  met(key: KeyRate, account: AccountMeter, limits: LimitTexts): void {
    this.#key = key
    this.#account = account
    this.#lease = undefined
    this.#limits = limits
  }

  /** One request of the key, at once. False: RateLimits' `acquire` has to be asked. */
  take(): boolean {
    return this.#key?.take() === true
  }

  /** One request of the account, at once. Undefined: Meter has to be waited for. */
  reserve(moment: number): Lease | undefined {
    const lease = this.#lease
    if (lease !== undefined) return lease.take() ? lease : undefined
    this.#lease = this.#account?.reserve(moment)
    return this.#lease
  }

  /** What was reserved has been answered. */
  serve(lease: Lease): void {
    if (this.#limits === undefined) lease.release()
    else lease.serve("request", this.#limits.day)
  }

  /** Adds to an answer's headers what he has left. */
  tell(headers: OwnHeaders, moment: number): void {
    if (this.#key === undefined || this.#account === undefined || this.#limits === undefined) return
    headers["ratelimit-policy"] = this.#limits.policy
    const leftOfMonth = this.#lease?.remaining(this.requestsPerMonth) ?? this.#account.remaining(moment)
    headers["ratelimit"] = rateLimit(this.#key.remaining, leftOfMonth, this.#limits)
  }
}

/** Meets the customer, if that was not done in this second. One whose terms have changed is another one. */
export const acquaintance = (meter: Meter["Service"], rates: RateLimits["Service"]) => {
  const limits = new LimitHeaders(meter.clock)
  return (customer: Customer, moment: number): KnownCustomer => {
    const known = customer instanceof KnownCustomer ? customer : new KnownCustomer(customer)
    if (!known.isMet(moment)) known.met(rates.key(known, moment), meter.account(known, moment), limits.texts(known, moment))
    return known
  }
}
