/** The client as an Effect service: `rest` calls the REST API, and `live` follows matches as streams. */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { Context, Effect, Layer, type Redacted, type Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { ConnectionOptions, LiveOptions } from "../ClientOptions.ts"
import { followedGame } from "../follow/channel.ts"
import { DEFAULT_GAME, type DefaultGame } from "../games.ts"
import type { LiveChange } from "../LiveChange.ts"
import { followRoom } from "../plain/followRoom.ts"
import type { LiveError } from "./LiveError.ts"
import { type RestClient, restClient, withKey } from "./restClient.ts"
import { runtimeOf } from "./runtimeOf.ts"
import { streamOf } from "./streamOf.ts"

export interface MatchpointOptions extends ConnectionOptions {
  readonly apiKey: Redacted.Redacted<string>
}

export interface Live<G extends string = DefaultGame> {
  /**
   * Every change of one match, from now on or from the position `resume`. Reconnects and resumes automatically. Ends
   * when the match ends.
   */
  readonly match: <S extends Shape = "v2">(matchId: string, options?: LiveOptions<S, G>) => Stream.Stream<LiveChange<S, G>, LiveError>
  /** Every change of every live match. Never ends by itself. */
  readonly all: <S extends Shape = "v2">(options?: LiveOptions<S, G>) => Stream.Stream<LiveChange<S, G>, LiveError>
}

export interface Games {
  /** Matches of the default game, CS2. */
  readonly live: Live
  /** Matches of the given game, whose name is the first part of its match ids. */
  readonly game: <G extends string>(game: G) => Live<G>
  /** Matches of every game that the plan includes. */
  readonly everyGame: Live<string>
}

export class Matchpoint extends Context.Service<Matchpoint, Games & { readonly rest: RestClient }>()(
  "@matchpoint/client/effect/Matchpoint",
) {
  /** Uses the platform's `fetch` and WebSocket. */
  static readonly layer = (options: MatchpointOptions) =>
    Layer.effect(Matchpoint, Matchpoint.make(options)).pipe(Layer.provide(FetchHttpClient.layer))

  /** Uses the `HttpClient` of the context. */
  static readonly make = Effect.fnUntraced(function* (options: MatchpointOptions) {
    const client = withKey(yield* HttpClient.HttpClient, options.apiKey)
    const rest = yield* restClient(options, client)
    const runtime = runtimeOf(options, client)
    const liveOf = <G extends string>(game: G | undefined): Live<G> => {
      const followed = followedGame(game)
      const follow = <S extends Shape>(id: string | undefined, live: LiveOptions<S, G> = {}) =>
        streamOf(Effect.map(runtime, (runtime) => followRoom(runtime, followed, id, live)))
      return { match: follow, all: (live) => follow(undefined, live) }
    }
    return Matchpoint.of({ rest, live: liveOf(DEFAULT_GAME), game: liveOf, everyGame: liveOf<string>(undefined) })
  })
}
