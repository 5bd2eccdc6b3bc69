/** A source of numbers, a line each, for tests of the importer: what is written of them is a table that tells how often. */

import { bytesOf } from "@matchpoint/service-feed/import/files"
import { accept, defineSource, type ImportFile, nothingWritten, reject, UnreadableFile } from "@matchpoint/service-feed/import/ImportSource"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"

export const numbersTable = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql`CREATE TABLE IF NOT EXISTS numbers (file text, number integer CHECK (number < 1000), written integer DEFAULT 1, PRIMARY KEY (number))`,
)

export interface Watch {
  /** Numbers whose writing was asked for, in order. */
  readonly asked: Array<number>
  /** Dies where this number is to be written. */
  dieAt: number | undefined
}

/** A line that is no number is a bad record; "stop" ends the file; 1000 and more cannot be written. */
export const countedSource = (watch: Watch) =>
  defineSource({
    name: "numbers",
    summary: "numbers",
    version: 1,
    takes: (name) => name.endsWith(".txt"),
    batchSize: 10,
    read: (file: ImportFile) =>
      Stream.mapEffect(bytesOf(file).pipe(Stream.decodeText(), Stream.splitLines), (line) =>
        line === "stop"
          ? Effect.fail(new UnreadableFile({ reason: "stop" }))
          : Effect.succeed(/^\d+$/.test(line) ? accept(Number(line)) : reject("not a number", line)),
      ),
    write: (numbers) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        let created = 0
        for (const number of numbers) {
          watch.asked.push(number)
          if (number === watch.dieAt) return yield* Effect.interrupt
          const rows = yield* sql`INSERT INTO numbers (number) VALUES (${number}) ON CONFLICT DO NOTHING RETURNING number`
          created += rows.length
        }
        return { ...nothingWritten, created, unchanged: numbers.length - created }
      }).pipe(Effect.mapError((cause) => new StoreError({ operation: "numbers", cause }))),
  })
