// Owns the bytes of a response's header lines while they are put together: one piece of memory for all responses, so that putting together
// what is another text in every response leaves nothing behind. What is written is good until the next response begins.
import type { HeadText, HeadValue } from "./HeadText.ts"

/** Heads that are longer are put together as text. */
const CAPACITY = 16_384
const LARGEST_INT = 0x7fffffff

const memory = Buffer.allocUnsafeSlow(CAPACITY)
/** Of the first so many bytes. */
const views: Array<Uint8Array | undefined> = []
/** What stands at the beginning. */
let start: Uint8Array | undefined
let length = 0

/** With lines that are the same as before, nothing is written. False: there is no room. */
export const begin = (lines: Uint8Array): boolean => {
  if (lines === start) {
    length = lines.length
    return true
  }
  start = undefined
  length = 0
  if (!put(lines)) return false
  start = lines
  return true
}

export const written = (): Uint8Array => {
  const known = views[length]
  if (known !== undefined) return known
  const view = memory.subarray(0, length)
  views[length] = view
  return view
}

/** False: there is no room, or the value is a string that is not all visible ASCII, which is for others to judge. */
export const write = (value: HeadValue): boolean => {
  if (typeof value === "string") return putPlain(value)
  return "bytes" in value ? put(value.bytes) : value.pieces.every(putPiece)
}

const putPiece = (piece: HeadText | number): boolean => (typeof piece === "number" ? putNumber(piece) : put(piece.bytes))

/** False: there is no room. */
export const put = (bytes: Uint8Array): boolean => {
  const count = bytes.length
  if (length + count > CAPACITY) return false
  memory.set(bytes, length)
  length += count
  return true
}

const putPlain = (text: string): boolean => {
  const count = text.length
  if (length + count > CAPACITY) return false
  for (let i = 0; i < count; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7e || (code < 0x20 && code !== 0x09)) return false
    memory[length + i] = code
  }
  length += count
  return true
}

const putNumber = (value: number): boolean => {
  // Minus zero is written as others write it, too.
  if (!(value >= 0 && value <= LARGEST_INT) || (value | 0) !== value) return putPlain(String(value))
  let digits = 1
  for (let limit = 10; value >= limit; limit *= 10) digits += 1
  if (length + digits > CAPACITY) return false
  length += digits
  let rest = value | 0
  for (let at = length - 1; at >= length - digits; at--) {
    const tenth = (rest / 10) | 0
    memory[at] = 48 + rest - tenth * 10
    rest = tenth
  }
  return true
}
