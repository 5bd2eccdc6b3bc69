/** A source of numbers, one per line, for tests of the importer. It writes them into a table. */
import { bytesOf } from "@matchpoint/game/feed/import/files"
import { accept, defineSource, type ImportFile, nothingWritten, reject, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"

export const numbersTable = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql`CREATE TABLE IF NOT EXISTS numbers (file text, number integer CHECK (number < 1000), written integer DEFAULT 1, PRIMARY KEY (number))`,
)

export interface Watch {
  /** Numbers that were passed to `write`, in order. */
  readonly writeRequests: Array<number>
  /** Interrupts the import when this number is to be written. */
  dieAt: number | undefined
}

/**
 * A line that is not a number is a bad record. "stop" makes the file unreadable. Numbers from 1000 on cannot be
 * written.
 */
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
          watch.writeRequests.push(number)
          if (number === watch.dieAt) return yield* Effect.interrupt
          const rows = yield* sql`INSERT INTO numbers (number) VALUES (${number}) ON CONFLICT DO NOTHING RETURNING number`
          created += rows.length
        }
        return { ...nothingWritten, created, unchanged: numbers.length - created }
      }).pipe(Effect.mapError((cause) => new StoreError({ operation: "numbers", cause }))),
  })
