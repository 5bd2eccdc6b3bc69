/** Handlers of the QR section: defaults, rules that need no drawing, entity tags, and the three formats. */
import { hash } from "node:crypto"
import { QrBusy, QrInvalid } from "@matchpoint/contracts/http/qr/qrErrors"
import { logoPadding, logoRatio, qrMargin, qrSize } from "@matchpoint/contracts/http/qr/qrLimits"
import type { QrBody, QrDocument, QrFormat } from "@matchpoint/contracts/http/qr/qrModels"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { namesTag } from "@matchpoint/game/edge/responses/entityTag"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { colorAdvice, rgbOf } from "@matchpoint/qr/colors"
import { readLogo } from "@matchpoint/qr/logoFile"
import { type Logo, type QrImage, RENDERER_VERSION } from "@matchpoint/qr/QrImage"
import { QrRenderer } from "@matchpoint/qr/QrRenderer"
import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"

/**
 * `Cache-Control` of GET: the same URL always gives the same bytes. Shared caches must not store the images, because
 * they would give them to clients without a key.
 */
const CACHE_CONTROL = "private, max-age=31536000, immutable"

export const QrHandlers = endpointGroup(ServiceApi, "qr", (handlers) =>
  Effect.gen(function* () {
    const renderer = yield* QrRenderer

    const drawn = Effect.fnUntraced(function* (image: QrImage, format: QrFormat, headers: Readonly<Record<string, string>>) {
      const drawing = yield* Effect.mapError(renderer.draw(image), ({ reason }) => QrBusy.because(reason))
      return drawing._tag === "Refused"
        ? yield* Effect.fail(QrInvalid.because(drawing.advice))
        : responseOf(drawing.bytes, format, image.size, headers)
    })

    return handlers
      .handle("read", ({ query, request }) =>
        Effect.gen(function* () {
          const { bg: background, ec: errorCorrection, fg: foreground, format = "png", ...others } = query
          const image = yield* imageOf({ ...others, background, errorCorrection, foreground, format })
          const headers = { etag: tagOf(image, format), "cache-control": CACHE_CONTROL }
          return namesTag(request.headers["if-none-match"], headers.etag)
            ? HttpServerResponse.empty({ status: 304, headers })
            : yield* drawn(image, format, headers)
        }),
      )
      .handle("generate", ({ payload }) => Effect.flatMap(imageOf(payload), (image) => drawn(image, payload.format ?? "png", {})))
  }),
)

type Asked = { readonly [K in keyof QrBody]: QrBody[K] | undefined } & Pick<QrBody, "data">

/** Fills in the defaults and checks what needs no drawing. */
const imageOf = Effect.fnUntraced(function* (asked: Asked) {
  const foreground = rgbOf(asked.foreground ?? "#000000")
  const background = rgbOf(asked.background ?? "#ffffff")
  const advice = colorAdvice(foreground, background)
  if (advice !== undefined) return yield* Effect.fail(QrInvalid.because(advice))
  const image: QrImage = {
    data: asked.data,
    type: asked.format === "svg" ? "svg" : "png",
    size: asked.size ?? qrSize.usual,
    margin: asked.margin ?? qrMargin.usual,
    errorCorrection: asked.errorCorrection ?? "M",
    foreground,
    background,
  }
  if (asked.logo === undefined) return image
  if (image.type === "svg")
    return yield* Effect.fail(QrInvalid.because("svg has no logo; use the format png or base64, or leave out the logo"))
  const { image: text, padding = logoPadding.usual, sizeRatio = logoRatio.usual } = asked.logo
  const file = readLogo(text)
  if (Result.isFailure(file)) return yield* Effect.fail(QrInvalid.because(file.failure))
  const logo: Logo = { ...file.success, padding, sizeRatio }
  return { ...image, errorCorrection: "H", logo } satisfies QrImage
})

/** A strong tag is correct without the bytes, because the drawing depends on nothing else. */
const tagOf = (image: QrImage, format: QrFormat): string =>
  `"${hash("sha256", JSON.stringify([RENDERER_VERSION, format, image]), "base64url").slice(0, 22)}"`

const responseOf = (
  bytes: Uint8Array<ArrayBuffer>,
  format: QrFormat,
  size: number,
  headers: Readonly<Record<string, string>>,
): HttpServerResponse.HttpServerResponse => {
  if (format !== "base64")
    return HttpServerResponse.uint8Array(bytes, { contentType: format === "png" ? "image/png" : "image/svg+xml", headers })
  const image = `data:image/png;base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`
  return HttpServerResponse.jsonUnsafe({ success: true, data: { image, format, size } } satisfies QrDocument, { headers })
}
