/**
 * A gateway over an excerpt of the recorded archive, and the numbers that are computed from the files without the
 * import.
 */
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Effect, Layer } from "effect"
import { KEY, Stack, stack } from "../../fixtures/stack.ts"
import { deriveTennis, importTennis } from "../../fixtures/tennis/importTennis.ts"
import { ask } from "../../fixtures/twoGateways.ts"
import type { Tour } from "./archiveCsv.ts"
import { writeExcerpt } from "./excerpt.ts"
import { type PublicNumbers, players, publicNumbers } from "./publicNumbers.ts"

/** Seasons that the excerpt has as a whole. */
export const seasons: ReadonlyArray<readonly [Tour, number]> = [
  ["atp", 1996],
  ["atp", 2015],
  ["wta", 2012],
  ["wta", 2016],
]

/** Number of players at number one that the excerpt has, longest first. */
const NUMBER_ONES = 12

/** A response. The tests state the models of the fields that they check. */
export interface Reply<Data, Meta = unknown> {
  readonly data: Data
  readonly meta: Meta
}

export class RecordedArchive extends Context.Service<
  RecordedArchive,
  {
    readonly numbers: PublicNumbers
    /** Requests a path below the API root. Fails the test if the status is not 200. */
    readonly get: <Data, Meta = unknown>(path: string) => Effect.Effect<Reply<Data, Meta>>
  }
>()("@matchpoint/test/conformance/tennis/RecordedArchive") {
  static readonly layer = (dataDirectory: string) =>
    Layer.effect(
      RecordedArchive,
      Effect.gen(function* () {
        const all = publicNumbers(dataDirectory)
        const numberOnes = [...all.numberOnes].sort((a, b) => b.weeks - a.weeks).slice(0, NUMBER_ONES)
        const playerIds = [...Object.values(players), ...numberOnes.map(({ playerId }) => playerId)]
        const folder = join(yield* temporaryDirectory, "archive")
        writeExcerpt(dataDirectory, folder, { playerIds, seasons })
        yield* importTennis(folder)
        yield* deriveTennis
        const { url } = yield* Stack
        return RecordedArchive.of({
          numbers: { ...all, numberOnes },
          get: Effect.fnUntraced(function* (path) {
            const { status, text } = yield* ask(`${url}${path}`, { "x-api-key": KEY })
            assert.strictEqual(status, 200, `${path}: ${text}`)
            return JSON.parse(text)
          }),
        })
      }),
    ).pipe(Layer.provide([stack(EventLogMemory.layer({ streams }), embeddedMemory), NodeServices.layer]))
}
