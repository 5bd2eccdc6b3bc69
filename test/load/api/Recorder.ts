// Owns the recording of the SQL statements that an address causes, as sent to the driver. Requests one address at a
// time.
import { Effect } from "effect"
import type { Transformer } from "effect/sql/Statement"
import type { SentStatement, Statements } from "./orders.ts"

/** Matches statements of the archive only. Statements of keys and usage run at the same time. */
const OF_THE_ARCHIVE = /\bcs2_/

export class Recorder {
  #sent: Array<SentStatement> = []

  readonly transformer: Transformer = (statement) =>
    Effect.sync(() => {
      const [text, values] = statement.compile()
      if (OF_THE_ARCHIVE.test(text)) this.#sent.push({ text, values })
      return statement
    })

  async statementsOf(paths: ReadonlyArray<string>, port: number, secret: string): Promise<Statements> {
    const statements: Record<string, ReadonlyArray<SentStatement>> = {}
    for (const path of new Set(paths)) {
      this.#sent = []
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": secret } })
      await response.arrayBuffer()
      statements[path] = this.#sent
    }
    return statements
  }
}
