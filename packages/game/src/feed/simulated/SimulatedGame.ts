/**
 * What a game provides so that simulated matches of it can be played: its schedule, and the facts (events) of a match.
 * No function here has side effects. The members are methods, so that a value with a game's own configuration is
 * assignable to the generic type.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration, RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { Option, Result } from "effect"

/** A fact of a simulated match. The n-th fact of a match has the id `sim:<n>`. */
export interface SimulatedFact {
  /** Time in milliseconds since the first fact of the match. Never decreases from one fact to the next. */
  readonly offsetMs: number
  /** Returns the event with its times, in epoch milliseconds. */
  readonly at: (times: EventTimes) => GameEvent
}

export interface EventTimes {
  readonly observedAt: number
  readonly receivedAt: number
}

/** The part of a match's configuration that game-independent code reads. The configuration is stored with the match. */
export interface SimulatedConfig {
  /** Version of the generator that started the match. Another version would generate a different continuation. */
  readonly generator: number
  /** Seed of the schedule that the match belongs to. */
  readonly seed: number
  /** Number of the match in the schedule, starting with 1. */
  readonly number: number
}

export interface SimulatedMatch<Config extends SimulatedConfig = SimulatedConfig> {
  readonly matchId: MatchId
  readonly config: Config
}

export interface SimulatedGame<Config extends SimulatedConfig = SimulatedConfig> {
  readonly game: GameName
  /** Version of the generator. Matches of other versions cannot be continued. */
  readonly generator: number
  /** Number of matches that can always run at the same time, with none of the participants in two of them. */
  readonly mostAtOnce: number
  /** Decodes a record of the FEED stream. */
  decodeEvent(data: Uint8Array): Result.Result<GameEvent, unknown>
  /** Returns the configuration of a registered match, or none if real feeds play it. */
  configOf(row: RegisteredMatch): Option.Option<Config>
  /** Returns the n-th match of the schedule. `now` is in epoch milliseconds. */
  scheduled(seed: number, number: number, now: number): Config
  registrationOf(config: Config): MatchRegistration
  /** Returns the ids of the teams or players of a match. None of them plays two matches at the same time. */
  participantsOf(config: Config): ReadonlyArray<string>
  /** Generates the facts of a match lazily. The same match always has the same facts. */
  factsOf(match: SimulatedMatch<Config>): IteratorObject<SimulatedFact>
  /** Returns the event that cancels a match. */
  cancelled(matchId: MatchId, times: EventTimes): GameEvent
}
