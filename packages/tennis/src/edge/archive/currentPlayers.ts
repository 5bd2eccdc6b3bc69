/** Answers requests that name merged players with the remaining ones. */
import { storeUnavailable } from "@matchpoint/game/edge/archive"
import { Effect } from "effect"
import { PlayerMerges } from "../../archive/merges/PlayerMerges.ts"

/** Parameters of tennis endpoints whose values are ids of players. */
const parameters: ReadonlySet<string> = new Set(["ids", "opponent_id", "player1_id", "player2_id", "player_id", "player_ids", "playerId"])

/** Parameters of a request by name. */
interface Given {
  readonly params?: object
  readonly query?: object
}

/** The handler receives current ids of players; two of one player become one. Costs a look-up by primary key. */
export const currentPlayers = Effect.map(
  PlayerMerges,
  ({ currentOf }) =>
    <Request extends Given, A, E, R>(answer: (request: Request) => Effect.Effect<A, E, R>) =>
    (request: Request) => {
      const ids = [request.params, request.query].flatMap(idsOf)
      if (ids.length === 0) return answer(request)
      return currentOf(ids).pipe(
        Effect.catchTag("StoreError", storeUnavailable),
        Effect.flatMap((current) => answer(current.size === 0 ? request : withIds(request, current))),
      )
    },
)

const idsOf = (given: object = {}): ReadonlyArray<string> =>
  Object.entries(given).flatMap(([name, value]: [string, unknown]) => (parameters.has(name) ? [value].flat().filter(isText) : []))

const isText = (value: unknown): value is string => typeof value === "string"

const withIds = <Request extends Given>(request: Request, current: ReadonlyMap<string, string>): Request => {
  const currentOf = (id: unknown) => (isText(id) ? (current.get(id) ?? id) : id)
  const replaced = (given: object = {}) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]: [string, unknown]) => {
        if (!parameters.has(name)) return [name, value]
        return [name, Array.isArray(value) ? [...new Set(value.map(currentOf))] : currentOf(value)]
      }),
    )
  return { ...request, params: replaced(request.params), query: replaced(request.query) }
}
