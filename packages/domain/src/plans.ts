/**
 * The table of plans, which is the only place that defines quotas, rates, delays, history and entitlements. `GET /plans`
 * returns it and docs/customers/plans.md explains it. Quotas above Starter, request rates and connection limits are our own
 * choice: the API specification does not define them.
 */
import { Schema } from "effect"

export const Plan = Schema.Literals(["free", "starter", "pro", "business", "scale", "enterprise"])
export type Plan = typeof Plan.Type

/** Games that a plan can include. */
export const Game = Schema.Literals(["cs2", "tennis", "cod", "apex"])
export type Game = typeof Game.Type

export const Feature = Schema.Literals(["live-websockets", "webhooks", "odds"])
export type Feature = typeof Feature.Type

/** Sold with the plans Pro and Business. An operator may grant them to any account. */
export const AddOn = Schema.Literals(["live-websockets"])
export type AddOn = typeof AddOn.Type

export interface PlanTerms {
  /** Copied to a new account, where it can be changed, for example for enterprise customers. */
  readonly requestsPerMonth: number
  /** Sustained rate per API key; a burst may be twice as large. Copied to a new account like the quota. */
  readonly requestsPerSecond: number
  /** Days of the archive that are available; null means the whole archive. */
  readonly historyDays: number | null
  /** Responses and streams show the state of matches as it was this many seconds ago. */
  readonly delaySeconds: number
  /** All games, or only the one that the account has chosen. */
  readonly games: "one" | "all"
  readonly features: ReadonlyArray<Feature>
  readonly addOns: ReadonlyArray<AddOn>
  /** WebSockets and SSE streams open at the same time, per API key on all gateways. */
  readonly connections: number
  /** Rooms (sets of matches) that one WebSocket may follow. */
  readonly rooms: number
  /** Replays that run at the same time, per API key. */
  readonly replays: number
  /** API keys per account. */
  readonly keys: number
}

/** Delay of live data on delayed plans, in seconds. Results also reach their archive and statistics only after this delay. */
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

/** Plans with the feature, cheapest first. */
export const plansWith = (feature: Feature): ReadonlyArray<Plan> =>
  Plan.literals.filter((plan) => planTerms[plan].features.includes(feature))

/** Plans for which the add-on is sold, cheapest first. */
export const plansSelling = (addOn: AddOn): ReadonlyArray<Plan> => Plan.literals.filter((plan) => planTerms[plan].addOns.includes(addOn))

const DAY_MS = 86_400_000

/** Time of the oldest data that a plan gives access to, in epoch milliseconds. Minus infinity for the whole archive. */
export const historyStart = (plan: Plan, now: number): number => {
  const { historyDays } = planTerms[plan]
  return historyDays === null ? Number.NEGATIVE_INFINITY : now - historyDays * DAY_MS
}

/** The cheapest plan that gives access to data as old as `at` (epoch milliseconds). */
export const planReaching = (at: number, now: number): Plan => Plan.literals.find((plan) => historyStart(plan, now) <= at) ?? "enterprise"
