/**
 * The table of plans, which is the only place that defines quotas, rates, delays, history and entitlements. `GET
 * /plans` returns it and docs/customers/plans.md explains it. The API specification does not define quotas above the Starter
 * plan, request rates or connection limits; these values are our own choice.
 */
import { Schema } from "effect"

export const Plan = Schema.Literals(["free", "starter", "pro", "business", "scale", "enterprise"])
export type Plan = typeof Plan.Type

/** Games whose API sections a plan can include. */
export const Game = Schema.Literals(["cs2", "tennis", "cod", "apex"])
export type Game = typeof Game.Type

/** Features that only some plans include. */
export const Feature = Schema.Literals(["live-websockets", "webhooks", "odds"])
export type Feature = typeof Feature.Type

/** Add-ons to a plan. They are sold with the plans Pro and Business, and an operator may grant them to any account. */
export const AddOn = Schema.Literals(["live-websockets"])
export type AddOn = typeof AddOn.Type

export interface PlanTerms {
  /**
   * Monthly quota of a new account with this plan. It is copied to the account, where it can be changed, for example
   * for enterprise customers.
   */
  readonly requestsPerMonth: number
  /**
   * Sustained request rate per API key for a new account with this plan; a burst may be twice as large. Like the quota,
   * it can be changed for each account.
   */
  readonly requestsPerSecond: number
  /** Number of days of history that are available in the archive; null means the whole archive. */
  readonly historyDays: number | null
  /** Delay of live data, in seconds: responses and streams show the state of matches as it was this long ago. */
  readonly delaySeconds: number
  /** Games that the plan includes: all, or only the one that the account has chosen. */
  readonly games: "one" | "all"
  readonly features: ReadonlyArray<Feature>
  readonly addOns: ReadonlyArray<AddOn>
  /** Maximum number of WebSockets and SSE streams that may be open at the same time, per API key and gateway. */
  readonly connections: number
  /** Maximum number of rooms (sets of matches) that one WebSocket may follow. */
  readonly rooms: number
  /** Maximum number of replays that may run at the same time, per API key. */
  readonly replays: number
  /** Maximum number of API keys per account. */
  readonly keys: number
}

/**
 * Delay of live data on plans with delayed data, in seconds. For customers of these plans, results also appear in the
 * archive and the statistics only after this delay.
 */
export const DELAY_SECONDS = 60

export const planTerms: Readonly<Record<Plan, PlanTerms>> = {
  free: {
    requestsPerMonth: 500,
    requestsPerSecond: 2,
    historyDays: 30,
    delaySeconds: DELAY_SECONDS,
    games: "all",
    features: [],
    addOns: [],
    connections: 5,
    rooms: 20,
    replays: 1,
    keys: 2,
  },
  starter: {
    requestsPerMonth: 10_000,
    requestsPerSecond: 5,
    historyDays: 90,
    delaySeconds: DELAY_SECONDS,
    games: "one",
    features: [],
    addOns: [],
    connections: 20,
    rooms: 50,
    replays: 2,
    keys: 5,
  },
  pro: {
    requestsPerMonth: 1_000_000,
    requestsPerSecond: 25,
    historyDays: null,
    delaySeconds: 0,
    games: "all",
    features: ["webhooks", "odds"],
    addOns: ["live-websockets"],
    connections: 500,
    rooms: 500,
    replays: 5,
    keys: 20,
  },
  business: {
    requestsPerMonth: 5_000_000,
    requestsPerSecond: 100,
    historyDays: null,
    delaySeconds: 0,
    games: "all",
    features: ["webhooks", "odds"],
    addOns: ["live-websockets"],
    connections: 2_000,
    rooms: 500,
    replays: 10,
    keys: 50,
  },
  scale: {
    requestsPerMonth: 50_000_000,
    requestsPerSecond: 500,
    historyDays: null,
    delaySeconds: 0,
    games: "all",
    features: ["live-websockets", "webhooks", "odds"],
    addOns: [],
    connections: 20_000,
    rooms: 500,
    replays: 20,
    keys: 100,
  },
  enterprise: {
    requestsPerMonth: 500_000_000,
    requestsPerSecond: 2_000,
    historyDays: null,
    delaySeconds: 0,
    games: "all",
    features: ["live-websockets", "webhooks", "odds"],
    addOns: [],
    connections: 100_000,
    rooms: 500,
    replays: 50,
    keys: 1_000,
  },
}

/** Returns the plans that include a feature, cheapest first. */
export const plansWith = (feature: Feature): ReadonlyArray<Plan> =>
  Plan.literals.filter((plan) => planTerms[plan].features.includes(feature))

/** Returns the plans for which a feature can be bought as an add-on, cheapest first. */
export const plansSelling = (addOn: AddOn): ReadonlyArray<Plan> => Plan.literals.filter((plan) => planTerms[plan].addOns.includes(addOn))

const DAY_MS = 86_400_000

/**
 * Returns the time of the oldest data that a plan gives access to, in epoch milliseconds. Returns minus infinity if the
 * plan includes the whole archive.
 */
export const historyStart = (plan: Plan, now: number): number => {
  const { historyDays } = planTerms[plan]
  return historyDays === null ? Number.NEGATIVE_INFINITY : now - historyDays * DAY_MS
}

/** Returns the cheapest plan that gives access to data as old as `at` (epoch milliseconds). */
export const planReaching = (at: number, now: number): Plan => Plan.literals.find((plan) => historyStart(plan, now) <= at) ?? "enterprise"
