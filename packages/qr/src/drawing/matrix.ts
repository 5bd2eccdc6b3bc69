/** The modules of a QR code, by the library `qrcode`. */
import type { ErrorCorrection } from "@matchpoint/contracts/http/qr/qrModels"
import { create, type QRCode } from "qrcode"

export interface Matrix {
  /** Modules per row and column, 21 to 177. */
  readonly count: number
  /** Row by row: 1 for a dark module, otherwise 0. */
  readonly modules: Uint8Array
}

/** The smallest matrix that holds the text, or undefined. */
export const matrixOf = (text: string, errorCorrectionLevel: ErrorCorrection): Matrix | undefined => {
  try {
    return read(create(text, { errorCorrectionLevel }))
  } catch (error) {
    // The library has no class for this error.
    if (error instanceof Error && error.message.startsWith("The amount of data is too big")) return undefined
    throw error
  }
}

/** `steps` versions above `matrix`, or undefined beyond the largest version. */
export const largerMatrixOf = (
  text: string,
  errorCorrectionLevel: ErrorCorrection,
  { count }: Matrix,
  steps: number,
): Matrix | undefined => {
  const version = (count - SMALLEST) / GROWTH + 1 + steps
  return version > VERSIONS ? undefined : read(create(text, { errorCorrectionLevel, version }))
}

/** Modules per row of version 1, and those that each further version adds. */
const SMALLEST = 21
const GROWTH = 4
const VERSIONS = 40

const read = ({ modules }: QRCode): Matrix => ({ count: modules.size, modules: modules.data })

/** Bytes that the largest QR code holds, by error correction. */
export const capacityBytes: Readonly<Record<ErrorCorrection, number>> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 }
