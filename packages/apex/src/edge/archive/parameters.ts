import { UnknownValue } from "@matchpoint/contracts/http/errors"
import { since, until } from "@matchpoint/game/edge/archive"
import { Effect } from "effect"
import {
  type ApexTransaction,
  type Region,
  regions,
  type SeriesStatus,
  seriesStatuses,
  transactionTypes,
} from "../../rules/archive/series.ts"

/** Accepts any case. Undefined if no text is given. Fails if the value is unknown. */
const readOneOf =
  <A extends string>(parameter: string, known: ReadonlyArray<A>) =>
  (text: string | undefined): Effect.Effect<A | undefined, UnknownValue> => {
    if (text === undefined) return Effect.succeed(undefined)
    const value = known.find((one) => one === text.toLowerCase())
    return value === undefined ? Effect.fail(UnknownValue.of(parameter, text, known)) : Effect.succeed(value)
  }

export const readRegion: (text: string | undefined) => Effect.Effect<Region | undefined, UnknownValue> = readOneOf("region", regions)
export const readStatus: (text: string | undefined) => Effect.Effect<SeriesStatus | undefined, UnknownValue> = readOneOf(
  "status",
  seriesStatuses,
)
export const readTransactionType: (text: string | undefined) => Effect.Effect<ApexTransaction["type"] | undefined, UnknownValue> =
  readOneOf("type", transactionTypes)

interface ListQuery {
  readonly status?: string | undefined
  readonly region?: string | undefined
  readonly tournament?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly order?: "newest" | "earliest" | undefined
}

/** Filter of a list, limited to the history of the caller's plan. */
export const seriesFilterOf = Effect.fnUntraced(function* ({ from, order = "newest", region, status, to, tournament }: ListQuery) {
  return {
    status: yield* readStatus(status),
    region: yield* readRegion(region),
    tournamentId: tournament,
    from: yield* since(from, to),
    to: until(to),
    order,
  }
})
