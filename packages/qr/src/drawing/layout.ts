/** Modules of a QR code on the pixels of an image. */

/** Module `i` covers the pixels from `edges[i]` up to `edges[i + 1]`, exclusive, in both directions. */
export interface Layout {
  readonly size: number
  readonly edges: ReadonlyArray<number>
}

/** Readers fail below this width. */
export const MIN_MODULE_PIXELS = 2

/** Exactly the requested margin. Modules can differ by one pixel in width. */
export const exactLayout = (size: number, count: number, margin: number): Layout => {
  const total = count + 2 * margin
  return { size, edges: Array.from({ length: count + 1 }, (_, at) => Math.ceil(((margin + at) * size) / total)) }
}

/** Equal modules of a whole number of pixels. What remains widens the margin. */
export const evenLayout = (size: number, count: number, margin: number): Layout => {
  const pixels = Math.floor(size / (count + 2 * margin))
  const start = Math.floor((size - pixels * count) / 2)
  return { size, edges: Array.from({ length: count + 1 }, (_, at) => start + at * pixels) }
}
