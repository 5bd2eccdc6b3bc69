/**
 * Reads a QR code with jsQR, a reader that shares no code with the one of `packages/qr`. jsQR misses some images that
 * other readers read, so that an image is scaled to several sizes, as if a camera came closer.
 */
import jsqr from "jsqr"
import sharp, { type Sharp } from "sharp"

/** Widths in pixels: 4 to 8 per module for each of the 40 versions of QR codes. */
const widths = [150, 200, 300, 400, 600, 800, 1_200]

const PIXELS_PER_MODULE = 4

/** White pixels around the image, because jsQR needs a margin and images may have none. */
const PAPER = 40

/**
 * Returns the text, or undefined if jsQR reads none. The image is a PNG or an SVG. `modules` is its width in modules,
 * margin included. With it, the image is first sampled once per module.
 */
export const readQrCode = async (image: Uint8Array, modules?: number): Promise<string | undefined> => {
  const scaled = widths.map((width) => sharp(image).resize({ width, kernel: "lanczos3" }))
  for (const one of modules === undefined ? scaled : [await sampled(image, modules), ...scaled]) {
    const text = await read(one)
    if (text !== undefined) return text
  }
  return undefined
}

const sampled = async (image: Uint8Array, modules: number): Promise<Sharp> => {
  const perModule = await sharp(image).resize({ width: modules, kernel: "nearest" }).png().toBuffer()
  return sharp(perModule).resize({ width: PIXELS_PER_MODULE * modules, kernel: "nearest" })
}

const read = async (image: Sharp): Promise<string | undefined> => {
  const { data, info } = await image
    .extend({ top: PAPER, bottom: PAPER, left: PAPER, right: PAPER, background: "#ffffff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const found = jsqr.default(new Uint8ClampedArray(data), info.width, info.height, { inversionAttempts: "dontInvert" })
  return found === null ? undefined : Buffer.from(found.binaryData).toString()
}
