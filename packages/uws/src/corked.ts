// Owns the corked write of a body chunk. Uncorked, uWebSockets.js pays one send call for each of: chunk size, chunk, line end.
import type { HttpResponse } from "uWebSockets.js"

// One callback for all writes instead of a closure per write; `cork` runs it before it returns, so it cannot be re-entered.
let target: HttpResponse | undefined
let chunk: Uint8Array
let accepted = false
const write = () => {
  if (target !== undefined) accepted = target.write(chunk)
}

/**
 * Appends a chunk to a chunked response in one send call. Returns false when bytes had to be buffered. The answer lags behind by
 * one small write, because what fits into the cork buffer (16 KB) meets the kernel only after the callback.
 * The chunk must not be empty.
 */
export const corkedWrite = (response: HttpResponse, bytes: Uint8Array): boolean => {
  target = response
  chunk = bytes
  response.cork(write)
  target = undefined
  return accepted
}

const nothing = () => {}

/**
 * Sends what is buffered. A response with an `onWritable` handler is not drained by uWebSockets.js itself (measured: 3.9 of
 * 20 MB arrived and then nothing), while an empty cork flushes.
 */
export const flush = (response: HttpResponse): void => {
  response.cork(nothing)
}
