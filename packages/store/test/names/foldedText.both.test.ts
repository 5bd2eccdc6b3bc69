/** Checks that SQL folds names as the domain does, on both databases. */
import { assert, layer } from "@effect/vitest"
import { foldName } from "@matchpoint/domain/names/foldName"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { foldedText } from "../../src/names/foldedText.ts"

/** Each letter of the folded alphabets between two others, and names with all that folding changes. */
const names = [
  ...Array.from({ length: 0x530 }, (_, at) => `a${String.fromCodePoint(at + 1)}b`),
  ...Array.from({ length: 0x100 }, (_, at) => `a${String.fromCodePoint(at + 0x1e00)}b`),
  ...Array.from({ length: 0x80 }, (_, at) => `a${String.fromCodePoint(at + 0x2000)}b`),
  ...[
    "Zoë O'Baker-Müller Jr.",
    "Đorđe ĐOKOVIĆ",
    "АНДРЕЙ РУБЛЁВ",
    "Дмитрий",
    "Στέφανος Τσιτσιπάς",
    "İlhan ışık",
    "李 娜",
    "ﬁne",
    "ＦＵＬＬ",
    " ",
    "",
  ],
]

onDatabaseOfRun((name, database) => {
  layer(database, { timeout: "60 seconds", excludeTestServices: true })(`folded names on ${name}`, (it) => {
    it.effect("are those of the domain", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly name: string; readonly folded: string }>`
          SELECT name, ${sql.literal(foldedText("name"))} AS folded FROM unnest(${names}::text[]) AS names (name)`
        const wrong = rows.filter(({ folded, name: given }) => folded !== foldName(given))
        assert.deepStrictEqual(
          wrong.map(({ folded, name: given }) => [given, folded, foldName(given)]),
          [],
        )
        assert.strictEqual(rows.length, names.length)
      }),
    )
  })
})
