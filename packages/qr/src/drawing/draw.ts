/**
 * Draws a QR code and reads it back. Takes 3 ms of CPU for a short text and up to some 100 ms for a large logo, so it
 * runs in threads (see `QrThreads`).
 */
import { Buffer } from "node:buffer"
import { type Drawing, type Logo, type QrImage, refused } from "../QrImage.ts"
import { DAMAGED, frameLogo, logoAdvice, putOn, rasterize } from "./images.ts"
import { evenLayout, exactLayout, MIN_MODULE_PIXELS } from "./layout.ts"
import { capacityBytes, largerMatrixOf, type Matrix, matrixOf } from "./matrix.ts"
import { pngOf } from "./png.ts"
import { showsText } from "./QrReader.ts"
import { evenGrid, exactGrid, svgOf } from "./svg.ts"

export const draw = async (image: QrImage): Promise<Drawing> => {
  const { data, errorCorrection, logo, margin, size } = image
  const matrix = matrixOf(data, errorCorrection)
  if (matrix === undefined) return refused(tooMuchData(image))
  const total = matrix.count + 2 * margin
  if (size < MIN_MODULE_PIXELS * total) return refused(tooManyModules(image, total))
  if (image.type === "svg") return drawSvg(image, matrix)
  return logo === undefined ? drawPng(image, matrix) : drawWithLogo(image, matrix, logo)
}

/** Modules between pixels make one small image in a hundred unreadable. Those are drawn again with even ones, as PNGs are. */
const drawSvg = async ({ background, data, foreground, margin, size }: QrImage, matrix: Matrix): Promise<Drawing> => {
  for (const gridOf of [exactGrid, evenGrid]) {
    const bytes = new TextEncoder().encode(svgOf(matrix, size, gridOf(size, matrix.count, margin), foreground, background))
    if (await showsText(await rasterize(bytes), data)) return drawn(bytes)
  }
  return refused(UNREADABLE)
}

/** Uneven modules make one small image in a hundred unreadable. Those are drawn again with even ones. */
const drawPng = async ({ background, data, foreground, margin, size }: QrImage, matrix: Matrix): Promise<Drawing> => {
  for (const layoutOf of [exactLayout, evenLayout]) {
    const bytes = pngOf(matrix, layoutOf(size, matrix.count, margin), foreground, background)
    if (await showsText(bytes, data)) return drawn(bytes)
  }
  return refused(UNREADABLE)
}

/**
 * Versions tried with a logo, above the smallest possible one. A larger version has more modules beside the logo, and
 * its alignment patterns elsewhere.
 */
const versionSteps = [0, 1, 2, 3, 5, 8]

const drawWithLogo = async (image: QrImage, smallest: Matrix, logo: Logo): Promise<Drawing> => {
  const { background, data, errorCorrection, foreground, margin, size } = image
  if (Math.round(size * logo.sizeRatio) + 2 * logo.padding > size) return refused(LOGO_TOO_LARGE)
  const advice = await logoAdvice(logo)
  if (advice !== undefined) return refused(advice)
  const framed = await frameLogo(logo, size).catch(() => undefined)
  if (framed === undefined) return refused(DAMAGED)
  for (const steps of versionSteps) {
    const matrix = largerMatrixOf(data, errorCorrection, smallest, steps)
    if (matrix === undefined || size < MIN_MODULE_PIXELS * (matrix.count + 2 * margin)) break
    const bytes = await putOn(pngOf(matrix, exactLayout(size, matrix.count, margin), foreground, background), framed)
    if (await showsText(bytes, data)) return drawn(bytes)
  }
  return refused(LOGO_TOO_LARGE)
}

const drawn = (bytes: Uint8Array<ArrayBuffer>): Drawing => ({ _tag: "Drawn", bytes })

const UNREADABLE = "the image would be unreadable; use a larger size, a margin of 4, less data or colors with more contrast"
const LOGO_TOO_LARGE = "the logo covers too much of the image to read it; use a smaller sizeRatio or padding, or a larger size"

const tooMuchData = ({ data, errorCorrection, logo }: QrImage): string => {
  const capacity = `a QR code with error correction ${errorCorrection} holds at most ${capacityBytes[errorCorrection]} bytes`
  const advice = logo === undefined ? "shorten it, or use a lower error correction" : "shorten it, or leave out the logo, which needs H"
  return `data does not fit: it has ${Buffer.byteLength(data)} bytes in UTF-8, and ${capacity}; ${advice}`
}

const tooManyModules = ({ margin, size }: QrImage, total: number): string =>
  `too much data for the size: ${total} modules with the margin of ${margin} do not fit on ${size} pixels; use a size of at least ${MIN_MODULE_PIXELS * total}, or less data`
