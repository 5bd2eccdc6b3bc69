/** GET and POST have the same parameters under different names. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { wholeNumber } from "../envelope.ts"
import { logoPadding, logoRatio, MAX_DATA_CHARACTERS, qrMargin, qrSize } from "./qrLimits.ts"

const Data = Schema.String.check(
  Schema.isMinLength(1),
  Schema.makeFilter((text) => (text.isWellFormed() ? undefined : "has half of a surrogate pair; remove it")),
  Schema.makeFilter((text) => {
    const { length } = [...text]
    return length <= MAX_DATA_CHARACTERS ? undefined : `has ${length} characters; use at most ${MAX_DATA_CHARACTERS}`
  }),
).annotate({ description: `Text or URL, at most ${MAX_DATA_CHARACTERS} characters` })

export const QrFormat = Schema.Literals(["png", "svg", "base64"])
export type QrFormat = typeof QrFormat.Type

export const ErrorCorrection = Schema.Literals(["L", "M", "Q", "H"])
export type ErrorCorrection = typeof ErrorCorrection.Type

const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** `#rgb` or `#rrggbb`. */
export const HexColor = Schema.String.check(
  Schema.makeFilter((text) => (hex.test(text) ? undefined : "is no hex color; write it as #1a2b3c, and # as %23 in a URL")),
)

const between = ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }) => Schema.isBetween({ minimum, maximum })

const words = {
  size: `Width and height in pixels. Default ${qrSize.usual}`,
  format: "`png` (default), `svg`, or `base64`: JSON with a PNG as a data URL",
  foreground: "Color of the modules, `#rgb` or `#rrggbb`. Default `#000000`",
  background: "Color behind them, at least 3 times as light. Default `#ffffff`",
  margin: `Width of the empty border in modules. Default ${qrMargin.usual}. Readers expect 4`,
  correction: "Error correction: `L`, `M` (default), `Q` or `H`. `H` survives the most damage and holds the least data",
} as const

/** In a URL, `#` is written `%23`. */
const colorInUrl = (description: string) =>
  Schema.optionalKey(HexColor.annotate({ description: `${description}. In a URL, write \`#\` as \`%23\`` }))

export const qrQuery = {
  data: Data,
  size: Schema.optionalKey(wholeNumber(qrSize).annotate({ description: words.size })),
  format: Schema.optionalKey(QrFormat.annotate({ description: words.format })),
  fg: colorInUrl(words.foreground),
  bg: colorInUrl(words.background),
  margin: Schema.optionalKey(wholeNumber(qrMargin).annotate({ description: words.margin })),
  ec: Schema.optionalKey(ErrorCorrection.annotate({ description: words.correction })),
} as const

export const QrLogo = Schema.Struct({
  image: Schema.String.annotate({ description: "PNG, JPEG or WebP as a base64 data URL or as base64, at most 512 KB and 4 megapixels" }),
  sizeRatio: Schema.optionalKey(
    Schema.Finite.check(between(logoRatio)).annotate({
      description: `Width of the logo as a share of \`size\`. Default ${logoRatio.usual}`,
    }),
  ),
  padding: Schema.optionalKey(
    Schema.Finite.check(Schema.isInt(), between(logoPadding)).annotate({
      description: `White border around the logo in pixels. Default ${logoPadding.usual}`,
    }),
  ),
}).annotate({ identifier: "QrLogo" })
export type QrLogo = typeof QrLogo.Type

export const QrBody = Schema.Struct({
  data: Data,
  size: Schema.optionalKey(Schema.Finite.check(Schema.isInt(), between(qrSize)).annotate({ description: words.size })),
  format: Schema.optionalKey(QrFormat.annotate({ description: words.format })),
  foreground: Schema.optionalKey(HexColor.annotate({ description: words.foreground })),
  background: Schema.optionalKey(HexColor.annotate({ description: words.background })),
  margin: Schema.optionalKey(Schema.Finite.check(Schema.isInt(), between(qrMargin)).annotate({ description: words.margin })),
  errorCorrection: Schema.optionalKey(ErrorCorrection.annotate({ description: words.correction })),
  logo: Schema.optionalKey(
    QrLogo.annotate({ description: "Image in the middle. Sets the error correction to `H`. Not possible with `svg`" }),
  ),
}).annotate({ identifier: "QrRequest" })
export type QrBody = typeof QrBody.Type

export const QrDocument = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    image: Schema.String.annotate({ description: "PNG as a data URL: `data:image/png;base64,...`" }),
    format: Schema.Literal("base64"),
    size: Schema.Natural.annotate({ description: "Width and height in pixels" }),
  }),
}).annotate({ identifier: "QrDocument" })
export type QrDocument = typeof QrDocument.Type

/** The response has the type that `format` names. */
export const qrAnswers = [
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/png" })),
  Schema.String.pipe(HttpApiSchema.asText({ contentType: "image/svg+xml" })),
  QrDocument,
] as const
