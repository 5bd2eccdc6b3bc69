/** A logo in a request: base64, alone or as a data URL. Only the first bytes of the file are looked at. */
import { MAX_LOGO_BYTES } from "@matchpoint/contracts/http/qr/qrLimits"
import { Result } from "effect"
import type { LogoType } from "./QrImage.ts"

export interface LogoFile {
  readonly file: Uint8Array<ArrayBuffer>
  readonly type: LogoType
}

const SUPPORTED = "use a PNG, JPEG or WebP"

const mediaTypes: Readonly<Record<string, LogoType>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/jpg": "jpeg",
  "image/webp": "webp",
}

const dataUrl = /^data:([a-z0-9.+/-]*);base64,/i
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The file, or advice for the caller. */
export const readLogo = (image: string): Result.Result<LogoFile, string> => {
  const [prefix = "", mediaType] = dataUrl.exec(image) ?? []
  const text = image.slice(prefix.length)
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return Result.fail("the logo must be the file itself in base64; addresses are not fetched")
  if (!base64.test(text)) return Result.fail("the logo is no base64; send the file as base64 or as a data URL that contains `;base64,`")
  if (Buffer.byteLength(text, "base64") > MAX_LOGO_BYTES)
    return Result.fail(`the logo exceeds the limit of ${MAX_LOGO_BYTES} bytes; send a smaller file`)
  const file = new Uint8Array(Buffer.from(text, "base64"))
  const type = typeOf(file)
  if (type === undefined) return Result.fail(`the logo is no image of a supported type; ${SUPPORTED}`)
  if (mediaType === undefined) return Result.succeed({ file, type })
  const declared = mediaTypes[mediaType.toLowerCase()]
  if (declared === undefined) return Result.fail(`logos of the type ${mediaType.slice(0, 100)} are not supported; ${SUPPORTED}`)
  return declared === type
    ? Result.succeed({ file, type })
    : Result.fail(`the logo is declared as ${mediaType}, but the file is a ${type}; correct the data URL`)
}

const typeOf = (file: Uint8Array): LogoType | undefined => {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 12)).toString("latin1")
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png"
  if (head.startsWith("\xff\xd8\xff")) return "jpeg"
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "webp" : undefined
}
