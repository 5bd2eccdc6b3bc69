/**
 * What a game provides so that simulated matches of it can be played. No function here has side effects. The members are
 * methods, so that a value with a game's own configuration is assignable to the generic type.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration, RegisteredMatch } from "@matchpoint/store/live/Matches"
import type { Option, Result } from "effect"

/** The n-th fact of a match has the id `sim:<n>`. */
export interface SimulatedFact {
  /** Milliseconds since the first fact of the match. Never decreases from one fact to the next. */
  readonly offsetMs: number
  /** The times are in epoch milliseconds. */
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
  /** Seed of the schedule. */
  readonly seed: number
  /** Position in the schedule, from 1. */
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
  /** Matches that can always run at the same time, with none of the participants in two of them. */
  readonly mostAtOnce: number
  /** Decodes a record of FEED. */
  decodeEvent(data: Uint8Array): Result.Result<GameEvent, unknown>
  /** None if real feeds play the match. */
  configOf(row: RegisteredMatch): Option.Option<Config>
  /** The n-th match of the schedule. `now` is in epoch milliseconds. */
  scheduled(seed: number, number: number, now: number): Config
  registrationOf(config: Config): MatchRegistration
  /** Ids of the teams or players. None of them plays two matches at the same time. */
  participantsOf(config: Config): ReadonlyArray<string>
  /** Lazy. The same match always has the same facts. */
  factsOf(match: SimulatedMatch<Config>): IteratorObject<SimulatedFact>
  cancelled(matchId: MatchId, times: EventTimes): GameEvent
}
