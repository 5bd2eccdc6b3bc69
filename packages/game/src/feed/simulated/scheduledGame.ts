/**
 * `SimulatedGame` of a game that has one schedule per seed and edition, such as a year or a season. The stored
 * configuration of a match has the fields of `scheduleFields` and the edition.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import type { MatchRegistration } from "@matchpoint/store/live/Matches"
import { Option, Schema } from "effect"
import type { EventTimes, SimulatedConfig, SimulatedGame } from "./SimulatedGame.ts"

export const scheduleFields = { generator: Schema.Natural, seed: Schema.Int, number: Schema.Natural } as const

export interface ScheduledGame<Config extends SimulatedConfig & Schema.JsonObject, Scheduled, Fact>
  extends Pick<SimulatedGame<Config>, "game" | "generator" | "mostAtOnce" | "decodeEvent"> {
  readonly config: Schema.Decoder<Config>
  /** The edition that is in progress at a time, in epoch milliseconds. */
  readonly editionAt: (now: number) => Omit<Config, keyof SimulatedConfig>
  readonly scheduleOf: (config: Config) => Scheduled
  /** `config` has what readers of the register show and the generator would have to generate again. Default: nothing. */
  readonly registered: (
    scheduled: Scheduled,
  ) => Omit<MatchRegistration, "config"> & { readonly config?: Schema.JsonObject & { readonly simulated?: never } }
  readonly participantsOf: (scheduled: Scheduled) => ReadonlyArray<string>
  readonly simulate: (options: Scheduled & { readonly matchId: MatchId }) => IteratorObject<Fact>
  readonly toFeedEvent: (fact: Fact, times: EventTimes) => GameEvent
}

export const scheduledGame = <Config extends SimulatedConfig & Schema.JsonObject, Scheduled, Fact extends { readonly offsetMs: number }>({
  config,
  editionAt,
  participantsOf,
  registered,
  scheduleOf,
  simulate,
  toFeedEvent,
  ...rest
}: ScheduledGame<Config, Scheduled, Fact>): SimulatedGame<Config> => {
  const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ simulated: config }))
  return {
    ...rest,
    configOf: (row) => Option.map(decodeConfig(row.config), ({ simulated }) => simulated),
    // TypeScript does not see that the three fields and the others are all fields of a configuration.
    scheduled: (seed, number, now) => ({ generator: rest.generator, seed, number, ...editionAt(now) }) as Config,
    registrationOf: (simulated) => {
      const registration = registered(scheduleOf(simulated))
      return { ...registration, config: { ...registration.config, simulated } }
    },
    participantsOf: (simulated) => participantsOf(scheduleOf(simulated)),
    factsOf: (match) =>
      simulate({ ...scheduleOf(match.config), matchId: match.matchId }).map((fact) => ({
        offsetMs: fact.offsetMs,
        at: (times) => toFeedEvent(fact, times),
      })),
    cancelled: (matchId, times) => ({ id: factId("sim:cancelled"), matchId, source: "main", ...times, type: "Cancelled", payload: {} }),
  }
}
