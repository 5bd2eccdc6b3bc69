/** Types of all REST reads: parameters, query and response. Derived from the API contract. */
import type { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import type { Brand } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

type Groups = typeof MatchpointApi extends HttpApi.HttpApi<infer _Id, infer Group> ? Group : never
type EndpointsOf<Group extends HttpApiGroup.Constraint> = Group["endpoints"][keyof Group["endpoints"]]
type Endpoint = Groups extends infer Group extends HttpApiGroup.Constraint
  ? Group extends HttpApiGroup.Constraint
    ? EndpointsOf<Group>
    : never
  : never

/** Callers can pass any string as an id. The server validates it. */
type Plain<A> = { readonly [K in keyof A]: A[K] extends Brand.Brand<infer _Name> ? string : A[K] }

type FieldsOf<S> = [S] extends [never] ? object : S extends { readonly Type: infer Type } ? Plain<Type> : object

type BodyOf<S> =
  S extends HttpApiSchema.WithHeaders<infer Inner, infer _Headers> ? BodyOf<Inner> : S extends { readonly Type: infer Type } ? Type : never

type Below<Path> = Path extends `/api/v1${infer Rest}` ? Rest : never

type ReadOf<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? { readonly params: FieldsOf<E["~Params"]>; readonly query: FieldsOf<E["~Query"]>; readonly body: BodyOf<E["~Success"]> }
  : never

/** By path below the API root, for example `/cs2/matches/:matchId`. */
export type Reads = {
  readonly [E in Endpoint as E extends { readonly method: "GET"; readonly path: infer Path } ? Below<Path> : never]: ReadOf<E>
}

export type ReadPath = keyof Reads
