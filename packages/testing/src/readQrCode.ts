/**
 * Reads a QR code with jsQR, a reader that shares no code with the one of `packages/qr`. jsQR misses some images that
 * other readers read, so that an image is scaled to several sizes, as if a camera came closer.
 */
import jsqr from "jsqr"
import sharp, { type Sharp } from "sharp"

/** Widths in pixels: 4 to 8 per module for each of the 40 versions of QR codes. */
const widths = [150, 200, 300, 400, 600, 800, 1_200]

const PIXELS_PER_MODULE = 4

/** Difference of a color channel from which a pixel does not belong to the margin. */
const TRIM_THRESHOLD = 40

/** White pixels around the image, because jsQR needs a margin and images may have none. */
const PAPER = 40

export interface CodeShape {
  /** Width of the code in modules, without its margin. */
  readonly modules: number
  /** In modules. */
  readonly margin: number
}

/**
 * Returns the text, or undefined if jsQR reads none. The image is a PNG or an SVG. If the shape of the code is known, the
 * image is first sampled once per module.
 */
export const readQrCode = async (image: Uint8Array, shape?: CodeShape): Promise<string | undefined> => {
  const scaled = widths.map((width) => sharp(image).resize({ width, kernel: "lanczos3" }))
  for (const one of shape === undefined ? scaled : [await sampled(image, shape), ...scaled]) {
    const text = await read(one)
    if (text !== undefined) return text
  }
  return undefined
}

/**
 * Takes the pixel in the middle of each module. sharp cannot do that: it first drops whole rows when it makes an image
 * smaller. The margin can be wider than asked for, so it is cut off. A code without one begins with a dark pixel.
 */
const sampled = async (image: Uint8Array, { margin, modules }: CodeShape): Promise<Sharp> => {
  const code = margin === 0 ? sharp(image) : sharp(image).trim({ threshold: TRIM_THRESHOLD })
  const { data, info } = await code.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { channels, height, width } = info
  const pixels = Buffer.alloc(modules * modules * channels)
  const middle = (module: number, length: number) => Math.floor(((module + 0.5) * length) / modules)
  for (let row = 0; row < modules; row++) {
    for (let column = 0; column < modules; column++) {
      const at = (middle(row, height) * width + middle(column, width)) * channels
      data.copy(pixels, (row * modules + column) * channels, at, at + channels)
    }
  }
  const perModule = sharp(pixels, { raw: { width: modules, height: modules, channels } })
  return perModule.resize({ width: PIXELS_PER_MODULE * modules, kernel: "nearest" })
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
