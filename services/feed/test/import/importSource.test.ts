/** Records with text that no database can store are rejected with the path of the text. Other records are written. */
import { assert, describe, it } from "@effect/vitest"
import { accept, defineSource, type ImportFile, nothingWritten } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"

const file: ImportFile = { name: "a.txt", path: "/a.txt", companions: new Map() }

const records = [
  { name: "North", players: [{ nickname: "ana" }] },
  { name: "So\0uth", players: [] },
  { name: "East", players: [{ nickname: "b" }, { nickname: "c\ud800" }] },
  { name: "West 🦊", players: [] },
]

describe("a source's batches", () => {
  it.effect("exclude records with text that cannot be stored", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const source = defineSource({
        name: "names",
        summary: "names",
        version: 1,
        takes: () => true,
        read: () => Stream.fromIterable(records.map(accept)),
        write: (batch) =>
          Effect.sync(() => {
            written.push(...batch.map(({ name }) => name))
            return nothingWritten
          }),
      })
      const [batch, ...more] = yield* Stream.runCollect(source.batches(file, 0))
      assert.lengthOf(more, 0)
      if (batch === undefined) return assert.fail("no batch")
      yield* batch.write
      assert.deepStrictEqual(written, ["North", "West 🦊"])
      assert.deepStrictEqual(
        batch.rejections.map(({ number, record }) => [number, record]),
        [
          [2, records[1]],
          [3, records[2]],
        ],
      )
      assert.match(batch.rejections[0]?.reason ?? "", /^name has a NUL/)
      assert.match(batch.rejections[1]?.reason ?? "", /^players\.1\.nickname has /)
      assert.deepStrictEqual(
        batch.single().map(({ number }) => number),
        [1, 4],
      )
    }),
  )
})
