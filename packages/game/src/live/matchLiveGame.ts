/** `LiveGame` of a game whose matches are created by `MatchCreated` and encoded without caching. */
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import { Option, Schema } from "effect"
import type { LiveGame } from "./LiveGame.ts"
import { PlainEncoder, type Projection } from "./PlainEncoder.ts"

export interface MatchLiveGameOptions<State extends GameState, Event extends GameEvent, Encoded, Result>
  extends Pick<LiveGame<State, Event>, "rules" | "decodeEvent" | "encodeEvent" | "webhookEvents" | "listed" | "partsWon">,
    Projection<State, Event> {
  readonly event: Schema.Codec<Event, Encoded>
  /** Parts of `resultOf` that it does not have are omitted. */
  readonly result: Schema.Codec<Result>
  /** Called when the match is over. */
  readonly resultOf: (state: State) => Result
}

export const matchLiveGame = <State extends GameState, Event extends GameEvent, Encoded, Result>({
  documentOf,
  event,
  result,
  resultOf,
  rowOf,
  ...rest
}: MatchLiveGameOptions<State, Event, Encoded, Result>): LiveGame<State, Event> => {
  /** The feed service stores the first event of a match in its row of the match register. */
  const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ created: event }))
  const encodeResult = Schema.encodeSync(Schema.toCodecJson(result))
  return {
    ...rest,
    encoder: () => new PlainEncoder({ documentOf, rowOf }),
    resultOf: (state) => encodeResult(resultOf(state)),
    createdAgain: ({ config }, matchId, now) => {
      const created = Option.getOrUndefined(decodeConfig(config))?.created
      return created?.type === "MatchCreated" ? { ...created, matchId, receivedAt: now } : undefined
    },
  }
}
