/** Joins text and bytes to bytes. The working space is shared and grows to the largest record; what is given back is its own copy. */

const utf8 = new TextEncoder()

let space = new Uint8Array(64 * 1024)

export const recordBytes = (pieces: ReadonlyArray<string | Uint8Array>): Uint8Array => {
  let end = 0
  for (const piece of pieces) {
    // A UTF-16 unit is three bytes of UTF-8 at most.
    const most = typeof piece === "string" ? piece.length * 3 : piece.length
    if (end + most > space.length) grow(end, end + most)
    if (typeof piece === "string") end += utf8.encodeInto(piece, space.subarray(end)).written
    else {
      space.set(piece, end)
      end += piece.length
    }
  }
  return space.slice(0, end)
}

const grow = (used: number, needed: number): void => {
  const larger = new Uint8Array(Math.max(needed, space.length * 2))
  larger.set(space.subarray(0, used))
  space = larger
}
