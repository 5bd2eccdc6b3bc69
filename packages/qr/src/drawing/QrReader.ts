/**
 * Reads a QR code from the finished image, by the ZXing C++ library in WebAssembly. It shares no code with the drawing.
 * The WebAssembly file is part of its package and read from disk.
 */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader"

/**
 * The library tries nothing beyond a plain read, so that an image that only a patient reader can read is rejected. For
 * the same reason, it does not try inverted colors.
 */
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

/** Compiles the WebAssembly module on the first call. */
const ready = (): Promise<unknown> => {
  isReady ??= readFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"))).then((wasmBinary) =>
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true }),
  )
  return isReady
}

const utf8 = new TextEncoder()

/**
 * Returns true if the PNG shows a QR code with exactly this text. Compares bytes: a QR code does not name its encoding,
 * so that readers must guess it.
 */
export const showsText = async (png: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> => {
  await ready()
  const [found] = await readBarcodes(png, options)
  return found?.isValid === true && Buffer.compare(found.bytes, utf8.encode(text)) === 0
}
