/**
 * Checks that `StorableText` is exactly what the databases accept. If it allowed more, some writes could never succeed.
 * If it allowed less, valid names would be rejected.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, type Vitest } from "@effect/vitest"
import { isStorable, StorableText } from "@matchpoint/domain/storableText"
import { Effect, Exit, Schema } from "effect"

/** Arbitrary UTF-16 code units, with a preference for boundary values. */
const units = Schema.Array(
  Schema.Union([
    Schema.Literals([0, 1, 0x1f, 0x7f, 0x80, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfeff, 0xfffe, 0xffff]),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff })),
  ]),
).check(Schema.isMaxLength(12))

const fits: (text: string) => boolean = Schema.is(StorableText)

export const storableTextContract = (it: Vitest.MethodsNonLive<PgClient.PgClient>) => {
  const stored = Effect.fnUntraced(function* (text: string) {
    const sql = yield* PgClient.PgClient
    // Compared in the database, because the client drops a byte order mark at the start of text.
    const rows = yield* sql<{ same: boolean; json: { name: string } }>`
      SELECT told.json, told.plain = told.json ->> 'name' AS same
      FROM (SELECT ${text}::text AS plain, ${sql.json({ name: text })}::jsonb AS json) told`
    return rows.map(({ json, same }) => [same, json.name])
  })

  it.effect.prop(
    "stores and returns every text that matches StorableText unchanged",
    { units },
    ({ units }) =>
      Effect.gen(function* () {
        const text = String.fromCharCode(...units)
        const storable = fits(text) ? text : text.toWellFormed().replaceAll("\0", "")
        assert.deepStrictEqual(yield* stored(storable), [[true, storable]])
      }),
    { arbitrary: { runs: 300 } },
  )

  it.effect.prop(
    "the database rejects text that does not match StorableText",
    { before: units, after: units },
    ({ after, before }) =>
      Effect.gen(function* () {
        for (const wrong of ["\0", "\ud800", "\udc00"]) {
          const text = [String.fromCharCode(...before).toWellFormed(), wrong, String.fromCharCode(...after).toWellFormed()].join("")
          assert.isFalse(isStorable(text))
          const exit = yield* Effect.exit(stored(text))
          assert.isTrue(Exit.isFailure(exit), JSON.stringify(text))
        }
      }),
    { arbitrary: { runs: 30 } },
  )
}
