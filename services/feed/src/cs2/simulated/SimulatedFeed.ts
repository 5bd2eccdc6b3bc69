/**
 * Keeps a number of simulated matches running: registers and announces them, plays them into the FEED stream
 * concurrently, and starts a new match after one ends. This module decides which matches are running, and
 * `MatchPlayback.ts` plays a single match. Other services compute the match states, close the matches and show them.
 *
 * This module stores no state. After a restart, the running matches are read from the database and their positions from
 * the FEED stream, so no event is lost or duplicated.
 */

import type { EventLog } from "@matchpoint/bus/EventLog"
import { FeedWriter } from "@matchpoint/bus/FeedWriter"
import { CS2 } from "@matchpoint/domain/cs2/live/cs2Rules"
import type { MatchId } from "@matchpoint/domain/ids"
import { CIRCUIT } from "@matchpoint/simulator/cs2/world"
import { Matches } from "@matchpoint/store/live/Matches"
import { Context, Duration, Effect, Latch, Layer, Option } from "effect"
import { feedPosition } from "./FeedPosition.ts"
import { backoff, cancelMatch, playMatch } from "./MatchPlayback.ts"
import { canBeContinued, configOf, fromRow, type SimulatedMatch, teamsOf, toOptions, toRegistration } from "./SimulatedMatch.ts"

export interface SimulatedFeedOptions {
  /** Seed that determines the schedule and the course of every match. Any safe integer, default 1. */
  readonly seed?: number
  /** Number of matches that run at the same time, default 4. */
  readonly matches?: number
  /**
   * Speed of matches as a multiple of real time, above 0, default 1. "max" plays as fast as the FEED stream accepts the
   * events.
   */
  readonly speed?: number | "max"
  /**
   * Break between the end of a match and the start of the next one. Measured in real time, regardless of `speed`.
   * Default 20 seconds.
   */
  readonly breakBetween?: Duration.Input
  /**
   * If no match is running at startup, the new matches start at different points of their match time, so that they are
   * in different rounds and each of them has a map in play. This is the range over which these points are spread,
   * default 36 minutes. Ignored with speed "max".
   */
  readonly stagger?: Duration.Input
}

/** Progress of a running match. */
export interface SimulatedProgress {
  readonly matchId: MatchId
  /** Number of facts in FEED. */
  readonly facts: number
  /** Match time played, in milliseconds. */
  readonly offsetMs: number
}

export class SimulatedFeed extends Context.Service<
  SimulatedFeed,
  {
    /** Progress of the running matches, in the order of their match numbers. */
    readonly running: Effect.Effect<ReadonlyArray<SimulatedProgress>>
    /**
     * Waits until the FEED stream contains all events of the first matches up to the present. Keeps waiting while the
     * database or the event log is unavailable.
     */
    readonly caughtUp: Effect.Effect<void>
  }
>()("@matchpoint/service-feed/cs2/simulated/SimulatedFeed") {
  /**
   * Plays matches for the lifetime of the layer. The layer starts even if the database or the event log is unavailable,
   * and playback waits for them.
   */
  static readonly layer = (options: SimulatedFeedOptions = {}): Layer.Layer<SimulatedFeed, never, EventLog | Matches> =>
    Layer.effect(
      SimulatedFeed,
      Effect.gen(function* () {
        const progress = new Map<MatchId, SimulatedProgress>()
        const caughtUp = yield* Latch.make()
        yield* playForever(options, progress, () => caughtUp.openUnsafe()).pipe(
          Effect.tapDefect((defect) => Effect.logError("the simulated feed stopped", defect)),
          Effect.forkScoped,
        )
        return SimulatedFeed.of({
          caughtUp: caughtUp.await,
          running: Effect.sync(() => [...progress.values()].sort((one, two) => byNumber(one.matchId, two.matchId))),
        })
      }),
    ).pipe(Layer.provide(FeedWriter.layer))
}

const byNumber = (one: MatchId, two: MatchId): number => one.localeCompare(two, "en", { numeric: true })

const playForever = Effect.fn("SimulatedFeed.playForever")(function* (
  options: SimulatedFeedOptions,
  progress: Map<MatchId, SimulatedProgress>,
  caughtUp: () => void,
) {
  const { breakBetween = "20 seconds", matches: wanted = 4, seed = 1, speed = 1, stagger = "36 minutes" } = options
  // The schedule contains at least four teams per concurrent match, which ensures that two teams without a running
  // match can always be found.
  const world = { seed, circuit: Math.max(CIRCUIT, 4 * wanted) }
  const matches = yield* Matches
  const found = yield* retryForever("find the running matches", findRunning)
  let number = found.reduce((highest, { config }) => (config.seed === seed ? Math.max(highest, config.number) : highest), 0)

  /**
   * For each of the concurrent slots, the match that occupies it. Used to find busy teams, because no team may play two
   * matches at once.
   */
  const taken = new Map(found.map(({ config }, place) => [place, config] as const))

  const register = Effect.fnUntraced(function* (place: number) {
    taken.delete(place)
    const busy = new Set([...taken.values()].flatMap(teamsOf))
    do number += 1
    while (teamsOf(configOf(world, number).simulated).some((team) => busy.has(team)))
    const config = configOf(world, number)
    taken.set(place, config.simulated)
    const matchId = yield* retryForever("register a match", matches.register(CS2, toRegistration(config)))
    return { matchId, config: config.simulated } satisfies SimulatedMatch
  })

  /** Slots (one per concurrent match) whose match has not caught up with the present yet. */
  const behind = new Set(Array.from({ length: Math.max(wanted, found.length) }, (_, place) => place))

  const play = (place: number, match: SimulatedMatch, underwayMs: number) =>
    retryForever(
      `play ${match.matchId}`,
      playMatch(
        toOptions(match),
        { speed, underwayMs },
        {
          onProgress: (facts, offsetMs) => {
            progress.set(match.matchId, { matchId: match.matchId, facts, offsetMs })
          },
          onCaughtUp: () => {
            if (behind.delete(place) && behind.size === 0) caughtUp()
          },
        },
      ),
    ).pipe(
      // If the generator fails on a match, the match is abandoned. The other matches continue, and the next match of
      // this slot is started.
      Effect.catchDefect((defect) => Effect.logError(`${match.matchId} cannot be continued`, defect)),
      Effect.ensuring(Effect.sync(() => progress.delete(match.matchId))),
      Effect.annotateLogs({ matchId: match.matchId }),
    )

  /**
   * Returns the point at which the first match of a slot begins, as a fraction (0 to 1) of the range `stagger`. A
   * single match begins at its start. Several matches begin at different points, so that they show different stages of
   * a match.
   */
  const shareOf = (place: number) => (wanted === 1 ? 0 : (place + 0.5) / wanted)

  /**
   * Plays the matches of one slot one after the other. The next match is registered before the break, so that a restart
   * during the break finds it in the database.
   */
  const playOneAfterAnother = Effect.fnUntraced(function* (place: number) {
    const running = found[place]
    const depth = found.length === 0 && speed !== "max" ? Duration.toMillis(stagger) * shareOf(place) : 0
    let match = running ?? (yield* register(place))
    let underwayMs = depth
    while (true) {
      yield* play(place, match, underwayMs)
      if (place >= wanted) return
      match = yield* register(place)
      underwayMs = 0
      yield* Effect.sleep(breakBetween)
    }
  })

  // If the options were changed, more matches than wanted may be running. The surplus matches are played to their end.
  const places = Array.from({ length: Math.max(wanted, found.length) }, (_, place) => place)
  yield* Effect.forEach(places, playOneAfterAnother, { concurrency: "unbounded", discard: true })
})

/**
 * Returns the running simulated matches from the database. Cancels matches that another version of the generator
 * started, because only that version can continue them.
 */
const findRunning = Effect.gen(function* () {
  const matches = yield* Matches
  const lost = new Set<MatchId>()
  const rows = yield* matches.listActive(CS2)
  for (const row of rows) {
    const match = Option.getOrUndefined(fromRow(row))
    if (match === undefined || row.status !== "live" || Option.isSome(yield* feedPosition(row.matchId))) continue
    // Here the database says that the match is live, but the FEED stream has lost its events. The match is cancelled,
    // because playing it again from the first event would repeat events that its stored state already includes.
    yield* Effect.logWarning(`${row.matchId}: FEED has lost its facts; the simulated match cannot continue and is cancelled`)
    yield* cancelMatch(toOptions(match))
    lost.add(row.matchId)
  }
  const found = rows.flatMap((row) => (lost.has(row.matchId) ? [] : Option.toArray(fromRow(row))))
  for (const match of found.filter((one) => !canBeContinued(one))) {
    yield* Effect.logWarning(`${match.matchId} was started by version ${match.config.generator} of the simulator and is cancelled`)
    yield* cancelMatch(toOptions(match))
  }
  return found.filter(canBeContinued)
})

/**
 * Logs every failure and retries without limit, so that a demonstration that runs for weeks survives outages of the
 * database and the event log.
 */
const retryForever = <A, E, R>(what: string, attempt: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  attempt.pipe(
    Effect.tapError((error) => Effect.logError(`cannot ${what}; retrying`, error)),
    Effect.retry(backoff),
    // Unreachable, because the schedule never ends.
    Effect.orDie,
  )
