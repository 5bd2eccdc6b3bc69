/** Ways to make a PNG of a text, all with error correction M and a margin of 4 modules. */
import { draw } from "@matchpoint/qr/drawing/draw"
import { exactLayout } from "@matchpoint/qr/drawing/layout"
import { type Matrix, matrixOf } from "@matchpoint/qr/drawing/matrix"
import { pngOf } from "@matchpoint/qr/drawing/png"
import type { Rgb } from "@matchpoint/qr/QrImage"
import { toBuffer } from "qrcode"
import sharp from "sharp"

export type Variant = (text: string, size: number) => Promise<Uint8Array>

const MARGIN = 4
const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

const matrix = (text: string): Matrix => matrixOf(text, "M") ?? fail("the text does not fit")

const fail = (reason: string): never => {
  throw new Error(reason)
}

export const variants = {
  /** What the server does: draw, then read the file back. */
  checked: async (data, size) => {
    const drawing = await draw({ data, type: "png", size, margin: MARGIN, errorCorrection: "M", foreground: BLACK, background: WHITE })
    return drawing._tag === "Drawn" ? drawing.bytes : fail(drawing.advice)
  },
  unchecked: async (text, size) => {
    const { count, modules } = matrix(text)
    return pngOf({ count, modules }, exactLayout(size, count, MARGIN), BLACK, WHITE)
  },
  /** The same image by sharp, from a pixel per module. With a palette of two colors, sharp needs more CPU for a smaller file. */
  sharp: async (text, size) => {
    const { count, modules } = matrix(text)
    const pixels = Buffer.from([...modules]).map((dark) => (dark === 1 ? 0 : 255))
    const bordered = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: "#ffffff" }
    const framed = await sharp(pixels, { raw: { width: count, height: count, channels: 1 } })
      .extend(bordered)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { channels, height, width } = framed.info
    return sharp(framed.data, { raw: { channels, height, width } }).resize({ width: size, kernel: "nearest" }).png().toBuffer()
  },
  /** The peer: the library's own PNG. */
  qrcode: (text, size) => toBuffer(text, { width: size, margin: MARGIN, errorCorrectionLevel: "M" }),
} satisfies Record<string, Variant>

export type VariantName = keyof typeof variants
