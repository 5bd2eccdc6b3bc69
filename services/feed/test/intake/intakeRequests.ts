/** Requests to the intake over HTTP, and what its responses contain. */
import { assert } from "@effect/vitest"
import { Receipt, Registered } from "@matchpoint/cs2/contract/http/feed/Cs2FeedApi"
import { readServerLog } from "@matchpoint/cs2/feed/adapters/serverLog/logRecording"
import { Effect, Schema } from "effect"
import { type Answer, post } from "./intakeServer.ts"

const Success = <S extends Schema.Constraint>(data: S) => Schema.Struct({ success: Schema.Literal(true), data, meta: Schema.Struct({}) })
const decodeRegistered = Schema.decodeUnknownEffect(Success(Registered))
const decodeReceipt = Schema.decodeUnknownEffect(Success(Receipt))
const Failure = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }),
})
const decodeFailure = Schema.decodeUnknownEffect(Failure)

/** A valid registration of two teams in a best of one. */
export const registration = { bestOf: 1, teams: [{ name: "North" }, { name: "South" }] }

/** Registers a match and returns its id and the URLs for senders. Asserts that the request succeeds. */
export const register = Effect.fnUntraced(function* (content: unknown = registration) {
  const answer = yield* post("/matches", content)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return (yield* decodeRegistered(answer.body)).data
})

/** Returns the receipt in a successful response. */
export const receiptIn = Effect.fnUntraced(function* (answer: Answer) {
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return (yield* decodeReceipt(answer.body)).data
})

/** Returns the error in a response, which must have this status and code. */
export const failureIn = Effect.fnUntraced(function* (answer: Answer, status: number, code: string) {
  const { error } = yield* decodeFailure(answer.body)
  assert.deepStrictEqual([answer.status, error.code], [status, code])
  return error
})

/** Returns the sample as posts, with its times moved so that it has just ended. */
export const postsOf = (text: string): ReadonlyArray<string> => {
  const { inputs } = readServerLog(text)
  const shift = Date.now() - (inputs.at(-1)?.at ?? 0)
  return inputs.map(({ at, input }) => input.map((line) => `${stamp(at + shift)} - ${line.slice(line.indexOf(" - ", 20) + 3)}`).join("\n"))
}

export const stamp = (at: number): string => {
  const [year = "", month = "", day = "", time = ""] = new Date(at).toISOString().split(/[-TZ]/)
  return `${month}/${day}/${year} - ${time}`
}

/** Returns a fact as `/events` expects it. */
export const fact = (id: string, type: string, payload: object, observedAt = 0) => ({ id, type, observedAt, payload })
