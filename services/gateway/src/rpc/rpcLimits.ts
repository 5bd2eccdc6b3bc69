/**
 * Checks the limits of an RPC request body or WebSocket message. The limits are checked on the text, before it is
 * parsed.
 */
import { MAX_JSON_DEPTH, nestsTooDeep } from "@matchpoint/contracts/http/boundedJson"
import { MAX_RPC_CALLS } from "@matchpoint/contracts/rpc/LiveRpcs"
import { Layer } from "effect"
import { RpcSerialization } from "effect/rpc"

/** Returns an error message for the sender if the text exceeds a limit, otherwise undefined. */
export const faultOf = (text: string): string | undefined => {
  if (hasMoreLinesThan(MAX_RPC_CALLS, text))
    return `one request may contain at most ${MAX_RPC_CALLS} calls; send several requests, or use the WebSocket`
  return nestsTooDeep(text) ? `arrays and objects may be nested at most ${MAX_JSON_DEPTH} levels deep` : undefined
}

/**
 * RPC serialization as newline-delimited JSON that limits the number of calls and the nesting depth. Each request body
 * or WebSocket message must consist of complete lines, because an incomplete line is not kept for the next message. If
 * a limit is exceeded, decoding throws and none of the calls runs.
 */
export const rpcSerialization = Layer.sync(RpcSerialization.RpcSerialization, () => ({
  ...RpcSerialization.ndjson,
  makeUnsafe: () => ({
    ...RpcSerialization.ndjson.makeUnsafe(),
    decode: (bytes: string | Uint8Array) => {
      const text = typeof bytes === "string" ? bytes : utf8.decode(bytes)
      const fault = faultOf(text)
      if (fault !== undefined) throw new RangeError(fault)
      return text.split("\n").flatMap((line): Array<unknown> => (line.trim() === "" ? [] : [JSON.parse(line)]))
    },
  }),
}))

const utf8 = new TextDecoder()

/** Returns true if the text has more than `most` lines. Empty lines do not count. */
const hasMoreLinesThan = (most: number, text: string): boolean => {
  let lines = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start)
    const end = found < 0 ? text.length : found
    if (end > start) lines += 1
    if (lines > most) return true
    start = end + 1
  }
  return false
}
