/** The client for those who don't use Effect: promises and async iterators over the same code. */
import type { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { type Brand, Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { ClientOptions, LiveOptions } from "./ClientOptions.ts"
import type { DefaultGame } from "./games.ts"
import type { LiveChange } from "./LiveChange.ts"
import { type Live, Matchpoint } from "./Matchpoint.ts"

type Groups = typeof MatchpointApi extends HttpApi.HttpApi<infer _Id, infer Group> ? Group : never

/** Ids may be plain strings: the contract checks them. */
type Plain<A> = { readonly [K in keyof A]: A[K] extends Brand.Brand<infer _Name> ? string : A[K] }

type Request<Endpoint extends HttpApiEndpoint.ConstraintRequest> = ([Endpoint["~Params"]["Type"]] extends [never]
  ? object
  : { readonly params: Plain<Endpoint["~Params"]["Type"]> }) &
  ([Endpoint["~Query"]["Type"]] extends [never] ? object : { readonly query?: Plain<Endpoint["~Query"]["Type"]> })

type Method<Endpoint extends HttpApiEndpoint.ConstraintRequest> =
  object extends Request<Endpoint>
    ? (request?: Request<Endpoint>) => Promise<HttpApiClient.SuccessType<Endpoint["~Success"]>>
    : (request: Request<Endpoint>) => Promise<HttpApiClient.SuccessType<Endpoint["~Success"]>>

type Methods<Group extends HttpApiGroup.Constraint> = Group["endpoints"] extends infer Endpoints extends Readonly<
  Record<string, HttpApiEndpoint.ConstraintRequest>
>
  ? { readonly [Name in keyof Endpoints]: Method<Endpoints[Name]> }
  : never

export interface Client {
  /** Every endpoint of the contract by group and name. Rejects with the API's error (`error.code`), or with what the network said. */
  readonly rest: { readonly [Group in Groups as HttpApiGroup.Identifier<Group>]: Methods<Group> }
  /** `break` closes the connection. A `LiveError` is thrown where following cannot go on. */
  readonly live: LiveIterables
  /** As `live`, of another game, by its name in paths and ids. */
  readonly game: <G extends string>(game: G) => LiveIterables<G>
  /** As `live`, of every game that the plan includes. */
  readonly everyGame: LiveIterables<string>
}

export interface LiveIterables<G extends string = DefaultGame> {
  readonly match: <S extends Shape = "v2">(matchId: string, options?: LiveOptions<S, G>) => AsyncIterable<LiveChange<S, G>>
  readonly all: <S extends Shape = "v2">(options?: LiveOptions<S, G>) => AsyncIterable<LiveChange<S, G>>
}

/** Nothing is opened before it is asked for, and nothing stays open afterwards: a client needs no closing. */
export const createClient = ({ apiKey, ...options }: Omit<ClientOptions, "apiKey"> & { readonly apiKey: string }): Client => {
  const client = Effect.runSync(
    Matchpoint.make({ ...options, apiKey: Redacted.make(apiKey, { label: "API key" }) }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
  return {
    rest: promisesOf(client.rest),
    live: iterables(client.live),
    game: (game) => iterables(client.game(game)),
    everyGame: iterables(client.everyGame),
  }
}

const iterables = <G extends string>(live: Live<G>): LiveIterables<G> => ({
  match: (matchId, options) => Stream.toAsyncIterable(live.match(matchId, options)),
  all: (options) => Stream.toAsyncIterable(live.all(options)),
})

type Effects = Readonly<Record<string, Readonly<Record<string, (request: object) => Effect.Effect<unknown, Error>>>>>

/** The same groups and names; the types above say what each of them takes and gives. */
const promisesOf = (rest: object): Client["rest"] => {
  const groups = Object.entries(rest as Effects).map(([group, methods]) => {
    const promises = Object.entries(methods).map(([name, method]) => [
      name,
      (request: object = {}) => Effect.runPromise(method({ query: {}, ...request })),
    ])
    return [group, Object.fromEntries(promises)]
  })
  return Object.fromEntries(groups)
}
