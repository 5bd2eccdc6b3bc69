/**
 * The table of plans: the only source of quotas, rates, delays, history and entitlements. `GET /plans` returns it and
 * docs/plans.md explains it. The specification does not define quotas above the Starter plan, request rates or
 * connection limits; these values are our own choice.
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
   * Default monthly quota of new accounts. Each account has a value of its own, so that an enterprise account can have
   * a different quota.
   */
  readonly requestsPerMonth: number
  /**
   * Default sustained rate per key; a burst may be twice as large. Each account has a value of its own, like the quota.
   */
  readonly requestsPerSecond: number
  /** Number of days of history that are available in the archive; null means the whole archive. */
  readonly historyDays: number | null
  /** How far live requests and streams are behind the newest frame, in seconds. */
  readonly delaySeconds: number
  /** Games that the plan includes: all, or only the one that the account has chosen. */
  readonly games: "one" | "all"
  readonly features: ReadonlyArray<Feature>
  readonly addOns: ReadonlyArray<AddOn>
  /** Maximum number of WebSockets and SSE streams open at once, per key and gateway. */
  readonly connections: number
  /** Maximum number of rooms that one WebSocket may follow. */
  readonly rooms: number
  /** Maximum number of replays at once per key. */
  readonly replays: number
  /** Maximum number of API keys per account. */
  readonly keys: number
}

/**
 * Delay of live data on plans with delayed data, in seconds. For these plans, the archive and the statistics also
 * publish results only after this delay.
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

/** Returns the plans that sell a feature as an add-on, cheapest first. */
export const plansSelling = (addOn: AddOn): ReadonlyArray<Plan> => Plan.literals.filter((plan) => planTerms[plan].addOns.includes(addOn))

const DAY_MS = 86_400_000

/**
 * Returns the earliest time that a plan's history includes, in epoch milliseconds. Returns minus infinity if the plan
 * includes the whole archive.
 */
export const historyStart = (plan: Plan, now: number): number => {
  const { historyDays } = planTerms[plan]
  return historyDays === null ? Number.NEGATIVE_INFINITY : now - historyDays * DAY_MS
}

/** Returns the cheapest plan whose history includes `at` (epoch milliseconds). */
export const planReaching = (at: number, now: number): Plan => Plan.literals.find((plan) => historyStart(plan, now) <= at) ?? "enterprise"
