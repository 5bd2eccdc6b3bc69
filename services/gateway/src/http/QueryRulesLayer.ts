/** The names of query parameters come from the contract of each endpoint. */
import { Announced } from "@matchpoint/contracts/http/announced/Announced"
import { QueryRules, queryNamesOf, unknownParameter } from "@matchpoint/contracts/http/QueryRules"
import { Context, Effect, Layer, Option, type Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"

export const QueryRulesLayer = Layer.succeed(
  QueryRules,
  QueryRules.of((answering, { endpoint, group }) =>
    // The parameters of announced endpoints are not decided yet.
    Option.isSome(Context.getOption(Context.merge(group.annotations, endpoint.annotations), Announced))
      ? answering
      : knownParametersOnly(answering, endpoint.query),
  ),
)

/** Fails with `ValidationError` for a parameter that the schema does not have. */
export const knownParametersOnly = <E, R>(
  answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  query: Schema.Top | undefined,
) => {
  const known = queryNamesOf(query)
  return Effect.gen(function* () {
    const unknown = unknownParameter(Object.keys(yield* HttpServerRequest.ParsedSearchParams), known)
    return yield* unknown ?? answering
  })
}
