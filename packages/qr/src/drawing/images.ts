/**
 * Reads and composes images with `sharp`, which is loaded on first use, because most QR codes do not need it. A logo
 * comes from a stranger: only three decoders may run on it, its dimensions are checked before its pixels are decoded,
 * and each operation has a timeout.
 */
import { MAX_LOGO_PIXELS } from "@matchpoint/contracts/http/qr/qrLimits"
import type { Sharp, SharpOptions } from "sharp"
import type { Logo } from "../QrImage.ts"

/** libvips then gives up an operation. A thread cannot be ended before. */
const TIMEOUT_SECONDS = 5

let loading: Promise<typeof import("sharp").default> | undefined

const loadSharp = () => {
  loading ??= import("sharp").then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    sharp.block({ operation: ["VipsForeignLoad"] })
    // SVG is needed to read back our own images. `readLogo` accepts no SVG.
    sharp.unblock({
      operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp", "VipsForeignLoadSvg"],
    })
    return sharp
  })
  return loading
}

const toPng = (image: Sharp): Promise<Buffer> => image.timeout({ seconds: TIMEOUT_SECONDS }).png({ compressionLevel: 6 }).toBuffer()

export const rasterize = async (svg: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await toPng((await loadSharp())(svg)))

/** Any warning of a decoder rejects the file. Animated files are recognized by their number of pages. */
const strictly: SharpOptions = { failOn: "warning", limitInputPixels: MAX_LOGO_PIXELS, animated: false }

/** Scaled to an image of `size` pixels, with the white border. Rejects if the file is damaged. */
export const frameLogo = async ({ file, padding, sizeRatio }: Logo, size: number): Promise<Buffer> => {
  const sharp = await loadSharp()
  const box = Math.round(size * sizeRatio)
  return toPng(
    sharp(file, strictly)
      .autoOrient()
      .resize({ width: box, height: box, fit: "inside" })
      .flatten({ background: "#ffffff" })
      .extend({ top: padding, bottom: padding, left: padding, right: padding, background: "#ffffff" }),
  )
}

/** Both are PNGs; `below` must be larger. */
export const putOn = async (below: Uint8Array, above: Buffer): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await toPng((await loadSharp())(below).composite([{ input: above, gravity: "centre" }])))

/** Advice if the logo cannot be used according to the header of the file. */
export const logoAdvice = async ({ file, type }: Logo): Promise<string | undefined> => {
  if (type === "png" && isAnimatedPng(file)) return ANIMATED
  const header = await (await loadSharp())(file, { ...strictly, limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (header === undefined || header.format !== type) return DAMAGED
  if ((header.pages ?? 1) > 1) return ANIMATED
  return header.width * header.height > MAX_LOGO_PIXELS
    ? `the logo has ${header.width} x ${header.height} pixels; use at most ${MAX_LOGO_PIXELS} in all`
    : undefined
}

export const DAMAGED = "the logo is damaged or incomplete; export it again as a PNG, JPEG or WebP"
const ANIMATED = "the logo is animated; use a still image"

/** The chunk `acTL` marks animated PNGs. libvips shows only their first frame. */
const isAnimatedPng = (file: Uint8Array): boolean =>
  Buffer.from(file.buffer, file.byteOffset, file.byteLength).includes("acTL", 0, "latin1")
