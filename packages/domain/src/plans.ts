/**
 * Plans as data: what each one may do. The one table that quotas, rates, delays, history and entitlements come from; `GET /plans`
 * answers it and docs/plans.md explains it. What the specification leaves open (quotas above Starter, rates, connections) is ours.
 */
import { Schema } from "effect"

export const Plan = Schema.Literals(["free", "starter", "pro", "business", "scale", "enterprise"])
export type Plan = typeof Plan.Type

/** The sections a plan may be for. */
export const Game = Schema.Literals(["cs2", "tennis", "cod", "apex"])
export type Game = typeof Game.Type

/** What some plans have and others lack. */
export const Feature = Schema.Literals(["live-websockets", "webhooks", "odds"])
export type Feature = typeof Feature.Type

/** What can be bought on top of a plan. Sold with Pro and Business; an operator may give one to any account. */
export const AddOn = Schema.Literals(["live-websockets"])
export type AddOn = typeof AddOn.Type

export interface PlanTerms {
  /** Of a new account; agreed per account, so that an enterprise can have another number. */
  readonly requestsPerMonth: number
  /** Per key, sustained; a burst may have twice as many. Agreed per account as well. */
  readonly requestsPerSecond: number
  /** Archive depth. Null: everything. */
  readonly historyDays: number | null
  /** How far behind the newest frame the plan reads and streams. */
  readonly delaySeconds: number
  /** Which sections: all, or the one the account has chosen. */
  readonly games: "one" | "all"
  readonly features: ReadonlyArray<Feature>
  readonly addOns: ReadonlyArray<AddOn>
  /** WebSockets and SSE streams open at once, per key and gateway. */
  readonly connections: number
  /** Rooms one WebSocket may follow. */
  readonly rooms: number
  /** Replays one key may run at once. */
  readonly replays: number
  /** Keys an account may have at once. */
  readonly keys: number
}

/** Delay of live data on the plans that have one, in seconds. Archive and statistics hold results back for as long. */
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

/** The plans that have a feature, cheapest first. */
export const plansWith = (feature: Feature): ReadonlyArray<Plan> =>
  Plan.literals.filter((plan) => planTerms[plan].features.includes(feature))

/** The plans on which a feature can be bought as an add-on, cheapest first. */
export const plansSelling = (addOn: AddOn): ReadonlyArray<Plan> => Plan.literals.filter((plan) => planTerms[plan].addOns.includes(addOn))

const DAY_MS = 86_400_000

/** The oldest moment (epoch ms) a plan may look back to. Minus infinity: all there is. */
export const historyStart = (plan: Plan, now: number): number => {
  const { historyDays } = planTerms[plan]
  return historyDays === null ? Number.NEGATIVE_INFINITY : now - historyDays * DAY_MS
}

/** The cheapest plan that looks back to `at` (epoch ms). */
export const planReaching = (at: number, now: number): Plan => Plan.literals.find((plan) => historyStart(plan, now) <= at) ?? "enterprise"
