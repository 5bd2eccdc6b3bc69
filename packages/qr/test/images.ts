/** Random QR codes for property tests. */
import { MAX_DATA_CHARACTERS, qrSize } from "@matchpoint/contracts/http/qr/qrLimits"
import type { ErrorCorrection } from "@matchpoint/contracts/http/qr/qrModels"
import type { CodeShape } from "@matchpoint/testing/readQrCode"
import { Schema } from "effect"
import { capacityBytes, matrixOf } from "../src/drawing/matrix.ts"
import type { QrImage, Rgb } from "../src/QrImage.ts"

/** Pairs of a foreground and a background that are accepted. */
const schemes: ReadonlyArray<readonly [Rgb, Rgb]> = [
  [
    [0, 0, 0],
    [255, 255, 255],
  ],
  [
    [0, 51, 102],
    [255, 255, 255],
  ],
  [
    [200, 0, 0],
    [255, 240, 220],
  ],
  [
    [40, 90, 40],
    [255, 255, 0],
  ],
  [
    [118, 118, 118],
    [240, 240, 240],
  ],
  [
    [0, 0, 255],
    [0, 255, 0],
  ],
]

/** Parts of texts: plain, digits, capitals, and every plane of Unicode. */
const Part = Schema.Union([
  Schema.String.check(Schema.isMaxLength(60)),
  Schema.Literals([
    "https://example.com/?q=",
    "0123456789",
    "ABC $%*+-./:",
    "é",
    "漢字かな",
    "😀👩‍👩‍👧",
    "\u0000",
    "\n",
    "עברית",
    "\u{10FFFD}",
    "ÿþ",
  ]),
])

/** Modules of version 23, for which jsQR, the second reader, looks for an alignment pattern in the wrong place (74, not 78). */
const JSQR_MISREADS = 109

/** `fill` is the share of the capacity up to which the text is repeated. */
export const Case = Schema.Struct({
  parts: Schema.Array(Part).check(Schema.isMinLength(1), Schema.isMaxLength(5)),
  fill: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  errorCorrection: Schema.Literals(["L", "M", "Q", "H"]),
  type: Schema.Literals(["png", "svg"]),
  margin: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 })),
  /** Pixels per module. */
  zoom: Schema.Finite.check(Schema.isBetween({ minimum: 2, maximum: 6 })),
  scheme: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: schemes.length - 1 })),
})

export const imageOf = (one: typeof Case.Type): QrImage => {
  const [foreground, background] = schemes[one.scheme] ?? [
    [0, 0, 0],
    [255, 255, 255],
  ]
  const text = one.parts.join("").toWellFormed() || "x"
  const drawn = textOf(text, one.fill, one.errorCorrection)
  const isRead = matrixOf(drawn, one.errorCorrection)?.count !== JSQR_MISREADS
  const data = isRead ? drawn : textOf(text, one.fill / 2, one.errorCorrection)
  const { modules } = shapeOf({ data, errorCorrection: one.errorCorrection, margin: one.margin })
  const size = Math.max(qrSize.minimum, Math.ceil(one.zoom * (modules + 2 * one.margin)))
  return { data, type: one.type, size, margin: one.margin, errorCorrection: one.errorCorrection, foreground, background }
}

/** The shape of the code in the image. */
export const shapeOf = ({ data, errorCorrection, margin }: Pick<QrImage, "data" | "errorCorrection" | "margin">): CodeShape => ({
  modules: matrixOf(data, errorCorrection)?.count ?? 0,
  margin,
})

const textOf = (text: string, fill: number, errorCorrection: ErrorCorrection): string => {
  const bytes = Math.max(1, Math.floor(capacityBytes[errorCorrection] * fill))
  let filled = ""
  let count = 0
  for (const character of text.repeat(1 + Math.ceil(bytes / Buffer.byteLength(text)))) {
    if (++count > MAX_DATA_CHARACTERS || Buffer.byteLength(filled) + Buffer.byteLength(character) > bytes) break
    filled += character
  }
  return filled === "" ? "x" : filled
}
