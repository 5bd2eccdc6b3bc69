/** Reads real files of a tennis archive and checks how much of them is understood. Needs the recorded data. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { textOf } from "@matchpoint/testing/recordedData"
import { inject } from "vitest"
import { type Circuit, matchReader, type Tour } from "../../src/rules/archive/archiveRows.ts"
import { computedColumns } from "../../src/rules/archive/columns.ts"

const dataDirectory = inject("dataDirectory")

/** File, tour, circuit, and number of rows, which is also the number of matches. Counted with other tools. */
const files: ReadonlyArray<readonly [name: string, tour: Tour, circuit: Circuit, rows: number]> = [
  ["atp/atp_matches_amateur.csv.gz", "atp", "amateur", 25_001],
  ["atp/atp_matches_2024.csv.gz", "atp", "tour", 3_076],
]

describe.skipIf(dataDirectory === null)("recorded tennis archive", () => {
  it.each(files)("reads %s", (name, tour, circuit, rows) => {
    const [header = "", ...lines] = textOf(join(dataDirectory ?? "", "tennis"), name)
      .split(/\r?\n/u)
      .filter(Boolean)
    const reader = matchReader(header, tour, circuit)
    assert.isFunction(reader)
    if (typeof reader === "string") return
    const read = lines.map(reader)
    assert.deepStrictEqual(
      read.filter((row) => typeof row === "string"),
      [],
    )
    const stored = read.filter((row) => typeof row !== "string")
    assert.strictEqual(stored.length, rows)
    assert.strictEqual(new Set(stored.map(({ id }) => id)).size, rows)
    const problem = computedColumns.indexOf("score_problem")
    assert.isBelow(stored.filter(({ cells }) => cells[problem] !== null).length, rows / 100)
  })
})
