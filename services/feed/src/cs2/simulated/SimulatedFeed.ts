/**
 * Keeps simulated matches running: registers and announces them, plays them into FEED side by side, and has the next one ready when
 * one is over. It owns which matches are on; how one is played is `MatchPlayback.ts`, and how it is folded, closed in the register
 * and shown is none of its business.
 *
 * It remembers nothing of its own. After a restart the register says which matches are on and FEED how far each has got, and they
 * go on from there: no fact is lost, none comes twice.
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
  /** Default 1. Any safe integer; decides who plays whom, and how every match goes. */
  readonly seed?: number
  /** Default 4. How many matches are on at any time. */
  readonly matches?: number
  /** Default 1. How fast matches run against the clock, above 0; "max": as fast as FEED takes them. */
  readonly speed?: number | "max"
  /** Default 20 seconds, by the clock whatever the speed. From the end of a match to the next one. */
  readonly breakBetween?: Duration.Input
  /**
   * Default 36 minutes of match time. At the very first start matches begin at different depths up to this, so that they are not all
   * in their first round, and none is still waiting for its map. Not with speed "max".
   */
  readonly stagger?: Duration.Input
}

/** How far a running match is. */
export interface SimulatedProgress {
  readonly matchId: MatchId
  /** Facts in FEED. */
  readonly facts: number
  /** Time played, in the match's own milliseconds. */
  readonly offsetMs: number
}

export class SimulatedFeed extends Context.Service<
  SimulatedFeed,
  {
    /** The matches that are on, oldest number first. */
    readonly running: Effect.Effect<ReadonlyArray<SimulatedProgress>>
    /** Waits until FEED has what was played of every first match before the start. Waits for as long as the store or the log is away. */
    readonly caughtUp: Effect.Effect<void>
  }
>()("@matchpoint/service-feed/cs2/simulated/SimulatedFeed") {
  /** Plays for as long as the layer lives. It starts whether or not the store and the log are there yet, and waits for them. */
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
  // With four teams for each match some pair is always free.
  const world = { seed, circuit: Math.max(CIRCUIT, 4 * wanted) }
  const matches = yield* Matches
  const found = yield* patiently("find the running matches", findRunning)
  let number = found.reduce((highest, { config }) => (config.seed === seed ? Math.max(highest, config.number) : highest), 0)

  /** What each place plays: no team plays two matches at once. */
  const taken = new Map(found.map(({ config }, place) => [place, config] as const))

  const register = Effect.fnUntraced(function* (place: number) {
    taken.delete(place)
    const busy = new Set([...taken.values()].flatMap(teamsOf))
    do number += 1
    while (teamsOf(configOf(world, number).simulated).some((team) => busy.has(team)))
    const config = configOf(world, number)
    taken.set(place, config.simulated)
    const matchId = yield* patiently("register a match", matches.register(CS2, toRegistration(config)))
    return { matchId, config: config.simulated } satisfies SimulatedMatch
  })

  /** Places whose match is not at its present moment yet. */
  const behind = new Set(Array.from({ length: Math.max(wanted, found.length) }, (_, place) => place))

  const play = (place: number, match: SimulatedMatch, underwayMs: number) =>
    patiently(
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
      // A match that breaks the generator is given up; the others, and the next one here, go on.
      Effect.catchDefect((defect) => Effect.logError(`${match.matchId} can't be played on`, defect)),
      Effect.ensuring(Effect.sync(() => progress.delete(match.matchId))),
      Effect.annotateLogs({ matchId: match.matchId }),
    )

  /** A match alone begins at its beginning. Of several each is under way, so that all of them are to be seen at once. */
  const shareOf = (place: number) => (wanted === 1 ? 0 : (place + 0.5) / wanted)

  /** One match after the other. The next is registered at once, so that a restart in the break knows which one it is. */
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

  // More may be on than are wanted, after a change of options: those are played to their end.
  const places = Array.from({ length: Math.max(wanted, found.length) }, (_, place) => place)
  yield* Effect.forEach(places, playOneAfterAnother, { concurrency: "unbounded", discard: true })
})

/** What the register says is on. Matches that another version of the generator began are ended: only that one knows how they go on. */
const findRunning = Effect.gen(function* () {
  const matches = yield* Matches
  const lost = new Set<MatchId>()
  const rows = yield* matches.listActive(CS2)
  for (const row of rows) {
    const match = Option.getOrUndefined(fromRow(row))
    if (match === undefined || row.status !== "live" || Option.isSome(yield* feedPosition(row.matchId))) continue
    // Played again from its first fact it would tell what it has told: its state is ahead of that.
    yield* Effect.logWarning(`${row.matchId}: FEED has lost its facts; the simulated match cannot go on and is cancelled`)
    yield* cancelMatch(toOptions(match))
    lost.add(row.matchId)
  }
  const found = rows.flatMap((row) => (lost.has(row.matchId) ? [] : Option.toArray(fromRow(row))))
  for (const match of found.filter((one) => !canBeContinued(one))) {
    yield* Effect.logWarning(`${match.matchId} was begun by version ${match.config.generator} of the simulator and is cancelled`)
    yield* cancelMatch(toOptions(match))
  }
  return found.filter(canBeContinued)
})

/** A demonstration that runs for weeks outlives the store's and the log's bad hours: whatever fails is tried again, and told. */
const patiently = <A, E, R>(what: string, attempt: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  attempt.pipe(
    Effect.tapError((error) => Effect.logError(`could not ${what}; trying again`, error)),
    Effect.retry(backoff),
    // The schedule has no end, so this never happens.
    Effect.orDie,
  )
