/**
 * Joins strings and byte arrays into one byte array. Its memory is taken from a larger slab that many records share. A
 * separate allocation for each 10 KB record would cost more than encoding the record (25 us compared with 3 us, mostly
 * in the garbage collector). A slab stays in memory until its last record is dropped. Because logs drop records in the
 * order in which they were created, the records of a slab are dropped together and the slab is freed.
 */

const SLAB_BYTES = 1024 * 1024

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
let used = 0

/** Returns the joined bytes. No other record uses these bytes, but they do not start at offset 0 of their `buffer`. */
export const recordBytes = (pieces: ReadonlyArray<string | Uint8Array>): Uint8Array => {
  let most = 0
  // Upper bound of the encoded size: each UTF-16 code unit takes at most three bytes in UTF-8.
  for (const piece of pieces) most += typeof piece === "string" ? piece.length * 3 : piece.length
  if (used + most > slab.length) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, most))
    used = 0
  }
  const start = used
  for (const piece of pieces) {
    // Strings are written directly into the slab. A typed array over the slab for each string would be one more object
    // for the garbage collector to free.
    if (typeof piece === "string") used += slab.write(piece, used, "utf8")
    else {
      slab.set(piece, used)
      used += piece.length
    }
  }
  return new Uint8Array(slab.buffer, start, used - start)
}
