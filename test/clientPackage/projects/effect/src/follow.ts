/** Prints ten changes as lines of JSON. */
import { Matchpoint } from "@matchpoint/client/effect"
import { Console, Effect, Redacted, Schema, Stream } from "effect"

/** Ids in the contract are branded strings. */
const MatchId = Schema.String.pipe(Schema.brand("MatchId"))

const program = Effect.gen(function* () {
  const { live, rest } = yield* Matchpoint
  const { data } = yield* rest["cs2-live"].list({ query: {} })
  const [first] = data
  if (first === undefined) return yield* Effect.die(new Error("no match is live"))
  const state = yield* rest["cs2-live"].state({ params: { matchId: MatchId.make(String(first.matchId)) }, query: {} })
  yield* Console.log(state.success)
  yield* live.all().pipe(
    Stream.take(10),
    Stream.runForEach(({ base, matchId, seq, match }) => Console.log(JSON.stringify({ matchId, seq, base, map: match.team1.mapScore }))),
  )
})

const client = Matchpoint.layer({
  baseUrl: process.env["MATCHPOINT_URL"] ?? "",
  apiKey: Redacted.make(process.env["MATCHPOINT_KEY"] ?? ""),
})

await Effect.runPromise(program.pipe(Effect.provide(client)))
