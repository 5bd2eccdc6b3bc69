// Writes inside a cork, which collects writes into one send call. Otherwise, uWebSockets.js makes separate send calls
// for the chunk size, the chunk and the line end.
import type { HttpResponse } from "uWebSockets.js"

// A single callback avoids a closure per write. Another write cannot overwrite these variables, because `cork` calls
// the callback before it returns.
let target: HttpResponse | undefined
let chunk: Uint8Array
let accepted = false
const write = () => {
  if (target !== undefined) accepted = target.write(chunk)
}

/**
 * Appends a non-empty chunk in one send call. Returns false if bytes had to be buffered. When the socket becomes full,
 * a small write may still return true, because bytes that fit into the cork buffer (16 KB) are passed to the kernel
 * only after the callback; the next write then returns false.
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
 * uWebSockets.js does not drain a response with an `onWritable` handler by itself: without this call, a client received
 * only 3.9 MB of a 20 MB response.
 */
export const flush = (response: HttpResponse): void => {
  response.cork(nothing)
}
