/** Limits of an RPC body or message, checked on the text before it is parsed. */
import { MAX_JSON_DEPTH, nestsTooDeep, parseBoundedJson } from "@matchpoint/contracts/http/boundedJson"
import { MAX_RPC_CALLS } from "@matchpoint/contracts/rpc/LiveRpcs"
import { Layer } from "effect"
import { RpcSerialization } from "effect/rpc"

/** Values per call. A fact of a feed, the largest payload, has a few hundred. */
const MAX_CALL_VALUES = 10_000

/** Error message for the sender. Undefined if the text is within the limits. */
export const faultOf = (text: string): string | undefined => {
  const lines = linesUpTo(MAX_RPC_CALLS + 1, text)
  if (lines === 0) return "the request contains no call; send each call as one line of JSON"
  if (lines > MAX_RPC_CALLS) return `one request may contain at most ${MAX_RPC_CALLS} calls; send several requests, or use the WebSocket`
  return nestsTooDeep(text) ? `arrays and objects may be nested at most ${MAX_JSON_DEPTH} levels deep` : undefined
}

/**
 * Newline-delimited JSON with limits. Each body or message must consist of complete lines, because an incomplete line
 * is not kept for the next one. Above a limit, decoding throws and none of the calls runs.
 */
export const rpcSerialization = Layer.sync(RpcSerialization.RpcSerialization, () => ({
  ...RpcSerialization.ndjson,
  makeUnsafe: () => ({
    ...RpcSerialization.ndjson.makeUnsafe(),
    decode: (bytes: string | Uint8Array) => {
      const text = typeof bytes === "string" ? bytes : utf8.decode(bytes)
      const fault = faultOf(text)
      if (fault !== undefined) throw new RangeError(fault)
      return text.split("\n").flatMap((line): Array<unknown> => (line.trim() === "" ? [] : [parseBoundedJson(line, MAX_CALL_VALUES)]))
    },
  }),
}))

const utf8 = new TextDecoder()

/** Number of lines, at most `most`. Empty lines count, because each costs time. A text without calls has no lines. */
const linesUpTo = (most: number, text: string): number => {
  let lines = 0
  for (let start = 0; start < text.length && lines < most; ) {
    const found = text.indexOf("\n", start)
    start = found < 0 ? text.length : found + 1
    lines += 1
  }
  return lines < most && text.trim() === "" ? 0 : lines
}
