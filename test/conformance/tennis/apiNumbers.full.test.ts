/**
 * Compares responses of the API with numbers that are computed from the files of an archive without the import. An
 * excerpt of the recorded archive is imported into a database, and requested over a gateway.
 */
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Effect, Layer } from "effect"
import { inject } from "vitest"
import { KEY, Stack, stack } from "../../fixtures/stack.ts"
import { deriveTennis, importTennis } from "../../fixtures/tennis/importTennis.ts"
import { ask } from "../../fixtures/twoGateways.ts"
import type { Tour } from "./archiveCsv.ts"
import { writeExcerpt } from "./excerpt.ts"
import { type PublicNumbers, players, publicNumbers } from "./publicNumbers.ts"

const dataDirectory = inject("dataDirectory")

const seasons: ReadonlyArray<readonly [Tour, number]> = [
  ["atp", 1996],
  ["atp", 2015],
  ["wta", 2012],
  ["wta", 2016],
]

/** Number of players at number one whose weeks are compared, longest first. */
const NUMBER_ONES = 12

class Archive extends Context.Service<
  Archive,
  {
    readonly numbers: PublicNumbers
    readonly numberOnes: PublicNumbers["numberOnes"]
    readonly get: (path: string) => Effect.Effect<Json>
  }
>()("@matchpoint/test/conformance/tennis/apiNumbers") {
  static readonly layer = Layer.effect(
    Archive,
    Effect.gen(function* () {
      const data = dataDirectory ?? ""
      const numbers = publicNumbers(data)
      const numberOnes = [...numbers.numberOnes].sort((a, b) => b.weeks - a.weeks).slice(0, NUMBER_ONES)
      const folder = join(yield* temporaryDirectory, "archive")
      writeExcerpt(data, folder, { playerIds: [...Object.values(players), ...numberOnes.map(({ playerId }) => playerId)], seasons })
      yield* importTennis(folder)
      yield* deriveTennis
      const { url } = yield* Stack
      const get = Effect.fnUntraced(function* (path: string) {
        const { status, text } = yield* ask(`${url}${path}`, { "x-api-key": KEY })
        assert.strictEqual(status, 200, `${path}: ${text}`)
        return JSON.parse(text) as Json
      })
      return Archive.of({ numbers, numberOnes, get })
    }),
  ).pipe(Layer.provide([stack(EventLogMemory.layer({ streams }), embeddedMemory), NodeServices.layer]))
}

/** A response whose fields the tests check. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read fields of several models
type Json = { readonly data: any; readonly meta: any }

describe.skipIf(dataDirectory === null)("publicly known numbers of tennis, from the API", () => {
  layer(Archive.layer, { timeout: "5 minutes" })((it) => {
    it.effect("lists the players with the most aces of a season", () =>
      Effect.gen(function* () {
        const { get, numbers } = yield* Archive
        for (const [tour, year] of seasons) {
          const { data } = yield* get(`/tennis/leaderboards/aces?tour=${tour}&year=${year}&limit=10`)
          const season = numbers.aces.find((one) => one.tour === tour && one.year === year)
          assert.deepStrictEqual(
            data.map((row: { readonly player: { readonly id: string }; readonly value: number }) => [row.player.id, row.value]),
            season?.leaders.slice(0, 10).map(({ aces, playerId }) => [playerId, aces]),
            `${tour} ${year}`,
          )
        }
      }),
    )

    it.effect("counts the ranking lists with a player at number one", () =>
      Effect.gen(function* () {
        const { get, numberOnes } = yield* Archive
        for (const { lists, playerId } of numberOnes) {
          const { meta } = yield* get(`/tennis/rankings/history/${playerId}?limit=1`)
          assert.strictEqual(meta.career.weeks_at_number_one, lists, playerId)
          assert.strictEqual(meta.career.career_high.rank, 1, playerId)
        }
      }),
    )
  })
})
