/** Parameters of a request with the defaults filled in. The same parameters always give the same bytes. */
import type { ErrorCorrection } from "@matchpoint/contracts/http/qr/qrModels"

/** Increase it if the same parameters give other bytes, so that entity tags change. */
export const RENDERER_VERSION = 1

export interface QrImage {
  /** Well-formed text, 1 to 2,048 characters. */
  readonly data: string
  readonly type: "png" | "svg"
  /** Width and height in pixels, 100 to 2,000. */
  readonly size: number
  /** Width of the border in modules, 0 to 10. */
  readonly margin: number
  readonly errorCorrection: ErrorCorrection
  readonly foreground: Rgb
  readonly background: Rgb
  readonly logo?: Logo
}

/** 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

export interface Logo {
  /** Starts as a PNG, JPEG or WebP. Everything else about it is unchecked. */
  readonly file: Uint8Array<ArrayBuffer>
  readonly type: LogoType
  /** Share of the size of the image. */
  readonly sizeRatio: number
  /** Width of the white border in pixels. */
  readonly padding: number
}

export type LogoType = "png" | "jpeg" | "webp"

/** `advice` is for the caller: why there is no image, and what to do. */
export type Drawing =
  | { readonly _tag: "Drawn"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly _tag: "Refused"; readonly advice: string }

export const refused = (advice: string): Drawing => ({ _tag: "Refused", advice })
