/**
 * Keeps a number of simulated matches of a game running: registers and announces them, plays them into FEED
 * concurrently, and starts a new match after one ends. `MatchPlayback.ts` plays a single match. Other services compute
 * the match states, close the matches and show them.
 *
 * This module stores no state. After a restart, the running matches are read from the database and their positions from
 * FEED, so no fact is lost or duplicated.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Matches } from "@matchpoint/store/live/Matches"
import { Clock, Duration, Effect, Option } from "effect"
import { feedPosition } from "./FeedPosition.ts"
import { backoff, cancelMatch, playMatch } from "./MatchPlayback.ts"
import type { SimulatedGame, SimulatedMatch } from "./SimulatedGame.ts"

export interface SimulatedOptions {
  /** Determines the schedule and the course of every match. Any safe integer, default 1. */
  readonly seed?: number
  /** Matches that run at the same time, default 4. At most as many as the participants of the game allow. */
  readonly matches?: number
  /** Multiple of real time, above 0, default 1. "max" plays as fast as FEED accepts the events. */
  readonly speed?: number | "max"
  /** Between two matches, in real time regardless of `speed`. Default 20 seconds. */
  readonly breakBetween?: Duration.Input
  /**
   * If no match is running at startup, the new matches start at different points of their match time, so that they are
   * in different rounds and each has a map in play. This is the range of these points, default 36 minutes. Ignored with
   * speed "max".
   */
  readonly stagger?: Duration.Input
}

/** Matches of the schedule that a search for free participants looks at, before it waits for matches to end. */
const CANDIDATES = 1_000

export interface SimulatedProgress {
  readonly matchId: MatchId
  readonly facts: number
  /** Match time played. */
  readonly offsetMs: number
}

/**
 * Plays matches until it is interrupted. `progress` always contains the running matches. `caughtUp` is called when FEED
 * contains all facts of the first matches up to the present.
 */
export const playMatches = Effect.fn("playMatches")(function* (
  game: SimulatedGame,
  options: SimulatedOptions,
  progress: Map<MatchId, SimulatedProgress>,
  caughtUp: () => void,
) {
  const { breakBetween = "20 seconds", seed = 1, speed = 1, stagger = "36 minutes" } = options
  const asked = options.matches ?? 4
  const wanted = Math.min(asked, game.mostAtOnce)
  if (wanted < asked) {
    yield* Effect.logWarning(
      `simulates ${wanted} matches of ${game.game} at a time instead of ${asked}: no participant plays two matches at once`,
    )
  }
  const matches = yield* Matches
  const found = yield* retryForever("find the running matches", findRunning(game))
  let number = found.reduce((highest, { config }) => (config.seed === seed ? Math.max(highest, config.number) : highest), 0)

  /** Participants of the match in each concurrent slot. None of them may play two matches at once. */
  const busy = new Map(found.map(({ config }, place) => [place, new Set(game.participantsOf(config))] as const))

  /** The next match of the schedule with free participants, or none if each of the next ones has a busy participant. */
  const takeMatch = Effect.fnUntraced(function* (place: number) {
    const now = Math.floor(yield* Clock.currentTimeMillis)
    for (let candidate = 0; candidate < CANDIDATES; candidate += 1) {
      number += 1
      const config = game.scheduled(seed, number, now)
      const participants = game.participantsOf(config)
      if (participants.every((participant) => busy.values().every((others) => !others.has(participant)))) {
        busy.set(place, new Set(participants))
        return config
      }
      // Candidates are generated, which takes up to a millisecond each.
      yield* Effect.yieldNow
    }
    return undefined
  })

  const register = Effect.fnUntraced(function* (place: number) {
    busy.delete(place)
    let config = yield* takeMatch(place)
    while (config === undefined) {
      yield* Effect.logWarning(`none of the next ${CANDIDATES} matches of ${game.game} has only free participants; searching again later`)
      yield* Effect.sleep(breakBetween)
      config = yield* takeMatch(place)
    }
    const matchId = yield* retryForever("register a match", matches.register(game.game, game.registrationOf(config)))
    return { matchId, config } satisfies SimulatedMatch
  })

  /** Slots whose match has not caught up with the present yet. */
  const behind = new Set(Array.from({ length: Math.max(wanted, found.length) }, (_, place) => place))

  const play = (place: number, match: SimulatedMatch, underwayMs: number) =>
    retryForever(
      `play ${match.matchId}`,
      playMatch(
        game,
        match,
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
      // If the generator fails on a match, the match is abandoned, and the next match of this slot is started.
      Effect.catchDefect((defect) => Effect.logError(`${match.matchId} cannot be continued`, defect)),
      Effect.ensuring(Effect.sync(() => progress.delete(match.matchId))),
      Effect.annotateLogs({ matchId: match.matchId }),
    )

  /** Where a slot's first match begins, as a fraction of `stagger`. Several matches thus show different stages. */
  const shareOf = (place: number) => (wanted === 1 ? 0 : (place + 0.5) / wanted)

  /** The next match of a slot is registered before the break, so that a restart during the break finds it in the database. */
  const playOneAfterAnother = Effect.fnUntraced(function* (place: number) {
    const running = found[place]
    const depth = found.length === 0 && speed !== "max" ? Duration.toMillis(stagger) * shareOf(place) : 0
    let match = running ?? (yield* register(place))
    let underwayMs = depth
    while (true) {
      yield* play(place, match, underwayMs)
      if (place >= wanted) {
        busy.delete(place)
        return
      }
      match = yield* register(place)
      underwayMs = 0
      yield* Effect.sleep(breakBetween)
    }
  })

  // If the options were changed, more matches than wanted may be running. They are played to their end.
  const places = Array.from({ length: Math.max(wanted, found.length) }, (_, place) => place)
  yield* Effect.forEach(places, playOneAfterAnother, { concurrency: "unbounded", discard: true })
})

/** Cancels matches that another version of the generator started, because only that version can continue them. */
const findRunning = Effect.fnUntraced(function* (game: SimulatedGame) {
  const matches = yield* Matches
  const lost = new Set<MatchId>()
  const rows = yield* matches.listActive(game.game)
  const matchOf = (row: (typeof rows)[number]): Option.Option<SimulatedMatch> =>
    Option.map(game.configOf(row), (config) => ({ matchId: row.matchId, config }))
  for (const row of rows) {
    const match = Option.getOrUndefined(matchOf(row))
    if (match === undefined || row.status !== "live" || Option.isSome(yield* feedPosition(game, row.matchId))) continue
    // The database says that the match is live, but FEED has lost its facts. Playing it again from the first one would
    // repeat facts that its stored state already includes.
    yield* Effect.logWarning(`${row.matchId}: FEED has lost its facts; the simulated match cannot continue and is cancelled`)
    yield* cancelMatch(game, match)
    lost.add(row.matchId)
  }
  const canBeContinued = ({ config }: SimulatedMatch) => config.generator === game.generator
  const found = rows.flatMap((row) => (lost.has(row.matchId) ? [] : Option.toArray(matchOf(row))))
  for (const match of found.filter((one) => !canBeContinued(one))) {
    yield* Effect.logWarning(`${match.matchId} was started by version ${match.config.generator} of the simulator and is cancelled`)
    yield* cancelMatch(game, match)
  }
  return found.filter(canBeContinued)
})

/** Retries without limit, so that a demonstration that runs for weeks survives outages of the database and the event log. */
const retryForever = <A, E, R>(what: string, attempt: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  attempt.pipe(
    Effect.tapError((error) => Effect.logError(`cannot ${what}; retrying`, error)),
    Effect.retry(backoff),
    // Unreachable, because the schedule never ends.
    Effect.orDie,
  )
