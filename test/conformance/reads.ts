/**
 * Reads the live section as a customer does, and compares each response with the contract and the specification's
 * tables.
 */
import { livePaths } from "@matchpoint/cs2/contract/http/LiveApi"
import { answersV1, answersV2, type LiveRead } from "@matchpoint/cs2/contract/http/liveAnswers"
import { V2_CONTENT_TYPE } from "@matchpoint/cs2/contract/http/shapes"
import { Plan } from "@matchpoint/domain/plans"
import { Clock, Effect, Result, Schema } from "effect"
import { violations } from "./checkFields.ts"
import { type EndpointSpec, spec } from "./specFields.ts"

export const plans = Plan.literals
export const keyOf = (plan: Plan): string => `mp_conformance_${plan}`

export const liveReads = Object.keys(livePaths) as ReadonlyArray<LiveRead>
export const matchReads = liveReads.filter((read) => read !== "list")

export type Shape = "v1" | "v2"

export interface Answer {
  readonly read: LiveRead
  readonly shape: Shape
  readonly plan: Plan
  readonly matchId: string | null
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Time at which the response arrived, epoch ms. */
  readonly at: number
}

export interface Ask {
  readonly read: LiveRead
  readonly shape: Shape
  readonly plan: Plan
  readonly matchId: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: "GET" | "HEAD"
  readonly query?: string
}

/** Sends a read. Half of the v2 reads request the shape by query, half by header, so that both are tested. */
export const ask = Effect.fnUntraced(function* (
  url: string,
  { read, shape, plan, matchId, headers = {}, method = "GET", query = "" }: Ask,
): Effect.fn.Return<Answer> {
  const path = livePaths[read].replace(":matchId", matchId ?? "")
  const byHeader = shape === "v2" && read.length % 2 === 0
  const parameters = [query, shape === "v2" && !byHeader ? "shape=v2" : ""].filter((part) => part !== "").join("&")
  const accept = byHeader ? { accept: V2_CONTENT_TYPE } : {}
  const response = yield* Effect.promise(async () => {
    const answered = await fetch(`${url}${path}${parameters === "" ? "" : `?${parameters}`}`, {
      method,
      // Compressed responses have weak entity tags.
      headers: { "x-api-key": keyOf(plan), "accept-encoding": "identity", ...accept, ...headers },
    })
    return { status: answered.status, headers: answered.headers, text: await answered.text() }
  })
  return { read, shape, plan, matchId, ...response, at: yield* Clock.currentTimeMillis }
})

/** Parses the cursor at the start of a match's entity tag. */
export const cursorOf = (answer: Answer): { readonly epoch: number; readonly seq: number } | undefined => {
  const found = /^"(\d+)\.(\d+)-/.exec(answer.headers.get("etag") ?? "")
  return found === null ? undefined : { epoch: Number(found[1]), seq: Number(found[2]) }
}

const decoder = (schema: Schema.ConstraintDecoder<unknown>) => Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })

const decoders: Readonly<Record<Shape, Readonly<Record<LiveRead, ReturnType<typeof decoder>>>>> = {
  v1: {
    list: decoder(answersV1.list),
    socket: decoder(answersV1.socket),
    scoreboard: decoder(answersV1.scoreboard),
    state: decoder(answersV1.state),
    rounds: decoder(answersV1.rounds),
    events: decoder(answersV1.events),
    playerStats: decoder(answersV1.playerStats),
    maps: decoder(answersV1.maps),
    snapshots: decoder(answersV1.snapshots),
  },
  v2: {
    list: decoder(answersV2.list),
    socket: decoder(answersV2.socket),
    scoreboard: decoder(answersV2.scoreboard),
    state: decoder(answersV2.state),
    rounds: decoder(answersV2.rounds),
    events: decoder(answersV2.events),
    playerStats: decoder(answersV2.playerStats),
    maps: decoder(answersV2.maps),
    snapshots: decoder(answersV2.snapshots),
  },
}

/** Returns everything wrong with a response that should succeed. `name` identifies it in the messages. */
export const faultsOf = (answer: Answer, name: string): ReadonlyArray<string> => {
  const { read, shape, plan, headers, status, text } = answer
  const faults: Array<string> = []
  const contentType = headers.get("content-type")?.split(";")[0]
  if (status !== 200) faults.push(`status ${status}: ${text.slice(0, 200)}`)
  if (contentType !== (shape === "v1" ? "application/json" : V2_CONTENT_TYPE)) faults.push(`content-type ${contentType}`)
  if (headers.get("vary")?.toLowerCase().includes("accept") !== true) faults.push(`vary ${headers.get("vary")}`)
  if (headers.get("cache-control") !== "private, no-cache") faults.push(`cache-control ${headers.get("cache-control")}`)
  if (!/^"[^"]+"$/.test(headers.get("etag") ?? "")) faults.push(`etag ${headers.get("etag")}`)
  if (status === 200) {
    const body: unknown = JSON.parse(text)
    const decoded = decoders[shape][read](body)
    if (Result.isFailure(decoded)) faults.push(`differs from the contract: ${String(decoded.failure).slice(0, 500)}`)
    const table: EndpointSpec = spec[read]
    faults.push(...(shape === "v1" ? violations(table, body) : v2Faults(answer, body)))
  }
  return faults.map((fault) => `${name} ${plan} ${read} ${shape}: ${fault}`)
}

/** Checks what shape v2 guarantees for every response: no nulls, and the cursor of its frame. */
const v2Faults = (answer: Answer, body: unknown): ReadonlyArray<string> => {
  const faults = nullsIn(body, "").map((path) => `${path} is null`)
  const meta = metaOf(body)
  if (meta["shape"] !== "v2") faults.push("meta.shape is not v2")
  const cursor = cursorOf(answer)
  if (answer.matchId !== null && (cursor === undefined || cursor.seq !== meta["seq"] || cursor.epoch !== meta["epoch"])) {
    faults.push(`the entity tag ${answer.headers.get("etag")} does not match ${String(meta["epoch"])}.${String(meta["seq"])}`)
  }
  return faults
}

const nullsIn = (value: unknown, path: string): Array<string> => {
  if (value === null) return [path]
  if (typeof value !== "object") return []
  return Object.entries(value).flatMap(([key, part]) => nullsIn(part, `${path}.${key}`))
}

export const metaOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null && "meta" in body ? (body.meta as Readonly<Record<string, unknown>>) : {}
