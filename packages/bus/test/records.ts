/** Short records for the contract tests of event logs: a text as payload. */
import { Array as Arr } from "effect"
import type { From, LogRecord } from "../src/EventLog.ts"

export const first: From = { _tag: "First" }

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const text = (record: LogRecord): string => new TextDecoder().decode(record.data)

/** The numbers from 1 to `count` as texts. */
export const numbers = (count: number): ReadonlyArray<string> => Arr.range(1, count).map(String)
