/**
 * The database of a simulation: checkpoints, the register of matches and API keys in memory, by the rules of
 * packages/store. Each process reaches it through a {@link StoreLink}, which may be slow, time out before or after the
 * work was done, or be down.
 */
import { AccountId, ApiKeyId, type Customer } from "@matchpoint/domain/accounts"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { type Plan, planTerms } from "@matchpoint/domain/plans"
import type { Random } from "@matchpoint/simulator/random"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { type Checkpoint, Checkpoints } from "@matchpoint/store/live/Checkpoints"
import { isOpenResult, Matches, type RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { ParkedMatches } from "@matchpoint/store/live/ParkedMatches"
import { StoreError } from "@matchpoint/store/StoreError"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { generousTerms } from "../../fixtures/metering/metering.ts"
import { NoneParked } from "../../fixtures/noneParked.ts"
import type { SingleFault } from "./SingleFault.ts"

export interface StoreFaults {
  /** Share of the requests that are slow, 0..1. */
  readonly slow: number
  /** Shortest and longest duration of a slow request, ms. */
  readonly quickMs: number
  readonly slowMs: number
  /** Probability of a timeout before the work is done, and of one after it, 0..1. */
  readonly fails: number
}

export class StoreLink {
  readonly #random: Random
  faults: StoreFaults
  dead = false
  /** The database answers no request. */
  isDown = false
  readonly #singleFault: SingleFault | undefined

  constructor(random: Random, faults: StoreFaults, singleFault?: SingleFault) {
    this.#random = random
    this.faults = faults
    this.#singleFault = singleFault
  }

  run<A>(operation: string, work: () => A): Effect.Effect<A, StoreError> {
    const request = Effect.suspend(() => {
      const { fails, quickMs, slow, slowMs } = this.faults
      const early = this.#random.chance(fails)
      const late = this.#random.chance(fails)
      const done = Effect.suspend(() => {
        if (this.dead || this.isDown || early) return Effect.fail(timedOut(operation))
        const result = work()
        return late ? Effect.fail(timedOut(operation)) : Effect.succeed(result)
      })
      return this.#random.chance(slow) ? Effect.andThen(Effect.sleep(this.#random.int(quickMs, slowMs)), done) : done
    })
    return this.#singleFault === undefined ? request : this.#singleFault.request(operation, request, timedOut(operation))
  }
}

const timedOut = (operation: string): StoreError => new StoreError({ operation, cause: new Error("a fault of the simulation") })

export class MemoryStore {
  readonly #checkpoints = new Map<string, Checkpoint>()
  readonly #matches = new Map<MatchId, RegisteredMatch>()
  /** Parts won by both sides of a live match together. */
  readonly #partsWon = new Map<MatchId, number>()

  register(match: RegisteredMatch): void {
    this.#matches.set(match.matchId, match)
  }

  find(matchId: MatchId): RegisteredMatch | undefined {
    return this.#matches.get(matchId)
  }

  /** Removes a checkpoint, so that an owner starts without one, as after a restored backup. */
  forgetCheckpoint(matchId: string): void {
    this.#checkpoints.delete(matchId)
  }

  layer(link: StoreLink): Layer.Layer<Checkpoints | Matches | ParkedMatches> {
    return Layer.mergeAll(NoneParked, Layer.succeed(Checkpoints, this.#checkpointsBy(link)), Layer.succeed(Matches, this.#matchesBy(link)))
  }

  #checkpointsBy(link: StoreLink) {
    return Checkpoints.of({
      load: (matchId) => link.run("Checkpoints.load", () => Option.fromUndefinedOr(this.#checkpoints.get(matchId))),
      positions: (matchIds) =>
        link.run("Checkpoints.positions", () => {
          const stored = matchIds.flatMap((matchId) => this.#checkpoints.get(matchId) ?? [])
          return new Map(stored.map(({ feedSequence, matchId }) => [matchId, feedSequence]))
        }),
      save: (checkpoint) =>
        link.run("Checkpoints.save", () => {
          const stored = this.#checkpoints.get(checkpoint.matchId)
          if (stored !== undefined && isNewer(stored, checkpoint)) return false
          this.#checkpoints.set(checkpoint.matchId, checkpoint)
          return true
        }),
      remove: (matchId) => link.run("Checkpoints.remove", () => void this.#checkpoints.delete(matchId)),
    })
  }

  #matchesBy(link: StoreLink) {
    const change = (matchId: MatchId, from: ReadonlyArray<string>, to: Partial<RegisteredMatch>): boolean => {
      const row = this.#matches.get(matchId)
      if (row === undefined || !from.includes(row.status)) return false
      this.#matches.set(matchId, { ...row, ...to })
      return true
    }
    return Matches.of({
      register: () => Effect.die("matches of a simulation are registered before it begins"),
      registerOnce: () => Effect.die("matches of a simulation are registered before it begins"),
      find: (matchId) => link.run("Matches.find", () => Option.fromUndefinedOr(this.#matches.get(matchId))),
      listActive: (game) =>
        link.run("Matches.listActive", () =>
          [...this.#matches.values()].filter(
            ({ matchId, status }) => gameOfMatch(matchId) === game && (status === "scheduled" || status === "live"),
          ),
        ),
      listUnsettled: link.run("Matches.listUnsettled", () =>
        [...this.#matches.values()]
          .filter(({ result, status }) => status === "scheduled" || status === "live" || isOpenResult(result))
          .map(({ matchId }) => matchId),
      ),
      markLive: (matchId, at) => link.run("Matches.markLive", () => change(matchId, ["scheduled"], { status: "live", startedAt: at })),
      advance: (matchId, [one, two]) =>
        link.run("Matches.advance", () => {
          const isNew = this.#matches.get(matchId)?.status === "live" && (this.#partsWon.get(matchId) ?? 0) < one + two
          if (isNew) this.#partsWon.set(matchId, one + two)
          return isNew
        }),
      finish: (matchId, at, status, result) =>
        link.run("Matches.finish", () => change(matchId, ["scheduled", "live"], { status, endedAt: at, result })),
      settle: (matchId, result) =>
        link.run("Matches.settle", () =>
          isOpenResult(this.#matches.get(matchId)?.result ?? null) ? change(matchId, ["completed", "cancelled"], { result }) : false,
        ),
    })
  }
}

const isNewer = (a: Checkpoint, b: Checkpoint): boolean =>
  a.epoch !== b.epoch ? a.epoch > b.epoch : a.seq !== b.seq ? a.seq > b.seq : a.feedSequence > b.feedSequence

/** `created` is the first fact of the match. */
export const scheduled = (matchId: MatchId, created: RegisteredMatch["config"]): RegisteredMatch => ({
  matchId,
  status: "scheduled",
  bestOf: 1,
  team1: { id: "cs2-team-1", name: "A" },
  team2: { id: "cs2-team-2", name: "B" },
  config: { created },
  createdAt: DateTime.makeUnsafe(0),
  startedAt: null,
  endedAt: null,
  result: null,
})

/** Returns the secret of the n-th key of a plan. */
export const secretOfPlan = (plan: Plan, n: number): string => `mp_simulated_${plan}_${n}`

const secretPattern = /^mp_simulated_([a-z]+)_([0-9]+)$/
const isPlan = (text: string | undefined): text is Plan => text !== undefined && text in planTerms

/** An ApiKeys service that accepts every secret of {@link secretOfPlan}. */
export const simulatedKeys = (link: StoreLink): Layer.Layer<ApiKeys> =>
  Layer.succeed(
    ApiKeys,
    ApiKeys.of({
      // No key is ever revoked.
      current: (keyIds) => link.run("ApiKeys.current", () => keyIds.map(customerOf)),
      verify: (secret) =>
        link.run("ApiKeys.verify", () => {
          const [, plan, n] = secretPattern.exec(Redacted.value(secret)) ?? []
          return isPlan(plan) && n !== undefined ? Option.some(customerOf(keyIdOf(plan, Number(n)))) : Option.none()
        }),
    }),
  )

const plans = Object.keys(planTerms).filter(isPlan)
const KEYS_OF_A_PLAN = 1_000

const keyIdOf = (plan: Plan, n: number): ApiKeyId => {
  const digits = (plans.indexOf(plan) * KEYS_OF_A_PLAN + n).toString(16).padStart(12, "0")
  return ApiKeyId.make(`00000000-0000-4000-8000-${digits}`)
}

const customerOf = (keyId: ApiKeyId): Customer => {
  const plan = plans[Math.floor(Number.parseInt(keyId.slice(-12), 16) / KEYS_OF_A_PLAN)] ?? "free"
  return { keyId, accountId: AccountId.make(keyId), ...generousTerms(plan) }
}
