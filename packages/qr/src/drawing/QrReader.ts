/** Reads a QR code from the finished image by ZXing (C++ in WebAssembly), which shares no code with the drawing. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader"

/** A plain read only, without inverted colors, so that an image that only a patient reader can read is rejected. */
const options: ReaderOptions = {
  formats: ["QRCode"],
  tryHarder: false,
  tryRotate: false,
  tryInvert: false,
  tryDownscale: false,
  tryDenoise: false,
  maxNumberOfSymbols: 1,
}

let isReady: Promise<unknown> | undefined

const ready = (): Promise<unknown> => {
  isReady ??= readFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"))).then((wasmBinary) =>
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true }),
  )
  return isReady
}

const utf8 = new TextEncoder()

/**
 * True if the PNG shows exactly this text. Compares bytes: a QR code does not name its encoding, so that readers must
 * guess it.
 */
export const showsText = async (png: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> => {
  await ready()
  const [found] = await readBarcodes(png, options)
  return found?.isValid === true && Buffer.compare(found.bytes, utf8.encode(text)) === 0
}
