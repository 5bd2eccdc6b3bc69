/** Compares every row of the season leaderboards with numbers that are counted from the files without the import. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect } from "effect"
import { inject } from "vitest"
import type { TennisFile } from "../../../packages/tennis/test/archive/fixtures/tennisFiles.ts"
import { TennisStack } from "../../fixtures/tennis/tennisStack.ts"
import { filesOf, type Tour } from "./archiveCsv.ts"
import { countBoards, countedBoards } from "./countedBoards.ts"

const dataDirectory = inject("dataDirectory")

interface Row {
  readonly player: { readonly id: string }
  readonly numerator: number
  readonly denominator: number
}

const sorted = (pairs: Iterable<readonly [string, readonly [number, number]]>) =>
  [...pairs].sort(([one], [other]) => (one < other ? -1 : 1))

const seasons: ReadonlyArray<readonly [Tour, number]> = [
  ["atp", 1995],
  ["atp", 2019],
  ["wta", 2016],
  ["wta", 2018],
]

/** The main tour in these seasons. */
const recorded = (): ReadonlyArray<TennisFile> =>
  seasons.flatMap(([tour, year]) =>
    filesOf(join(dataDirectory ?? "", "tennis", tour), new RegExp(`^${tour}_matches_${year}\\.`, "u")).map((file) => {
      const bytes = readFileSync(file)
      const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")
      return { tour, kind: "tour", lines: text.split(/\r?\n/u).filter((line) => line !== "") }
    }),
  )

describe.skipIf(dataDirectory === null)("season leaderboards of tennis, from the API", () => {
  layer(TennisStack.layer(embeddedMemory, recorded), { timeout: "5 minutes", excludeTestServices: true })((it) => {
    it.effect("equal those counted from the files", () =>
      Effect.gen(function* () {
        const { get } = yield* TennisStack
        for (const [tour, year] of seasons) {
          const counted = countBoards(dataDirectory ?? "", tour, year)
          for (const board of Object.keys(countedBoards)) {
            const rows: Array<Row> = []
            for (let page = 1, hasNext = true; hasNext; page++) {
              const path = `/leaderboards/${board}?tour=${tour}&year=${year}&limit=100&page=${page}`
              const { data, meta } = yield* get(path)
              rows.push(...data)
              hasNext = meta.hasNext
            }
            const expected = sorted(counted[board] ?? [])
            assert.isAbove(expected.length, 10, `${tour} ${year} ${board}`)
            const listed = rows.map(({ denominator, numerator, player }) => [player.id, [numerator, denominator]] as const)
            assert.deepStrictEqual(sorted(listed), expected, `${tour} ${year} ${board}`)
          }
        }
      }),
    )
  })
})
