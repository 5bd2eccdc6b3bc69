// Owns the API under measurement: one typical read with a path parameter and a header, and about 1 KB of JSON encoded
// by a schema. The same layer runs on both servers and does not depend on either.
import { Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiError, HttpApiGroup } from "effect/http-api"

const Player = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  country: Schema.String,
  kills: Schema.Int,
  deaths: Schema.Int,
  rating: Schema.Finite,
})

const Match = Schema.Struct({
  id: Schema.Int,
  tournament: Schema.String,
  status: Schema.Literals(["scheduled", "live", "finished"]),
  startsAt: Schema.DateTimeUtcFromMillis,
  map: Schema.String,
  score: Schema.Tuple([Schema.Int, Schema.Int]),
  players: Schema.Array(Player),
  client: Schema.String,
})

class Matches extends HttpApiGroup.make("matches").add(
  HttpApiEndpoint.get("byId", "/matches/:id", {
    params: { id: Schema.FiniteFromString },
    headers: { "x-client": Schema.String },
    success: Match,
    error: HttpApiError.NotFound,
  }),
) {}

class Api extends HttpApi.make("measured").add(Matches) {}

const names = ["amber", "birch", "cedar", "delta", "ember", "flint", "grove", "hazel", "inlet", "jasper"]

const matchOf = (id: number, client: string): typeof Match.Type => ({
  id,
  tournament: "Measured Open 2026, group stage, second round",
  status: "live",
  startsAt: Schema.decodeSync(Schema.DateTimeUtcFromMillis)(1_790_000_000_000),
  map: "de_measured",
  score: [11, 9],
  players: names.map((name, index) => ({ id: id * 100 + index, name, country: "SE", kills: 17 + index, deaths: 12, rating: 1.08 })),
  client,
})

const MatchesHandlers = HttpApiBuilder.group(
  Api,
  "matches",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      byId: ({ params, headers }) =>
        params.id < 1 ? Effect.fail(new HttpApiError.NotFound()) : Effect.succeed(matchOf(params.id, headers["x-client"])),
    })
  }),
)

export const ApiRoutes = HttpApiBuilder.layer(Api).pipe(Layer.provide(MatchesHandlers))
