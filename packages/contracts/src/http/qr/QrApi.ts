/**
 * QR codes as images, by GET with a query or by POST with a JSON body, which may have a logo. Every plan includes the
 * section.
 */
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { Immutable } from "../ConditionalGet.ts"
import { describe } from "../listing.ts"
import { Metering } from "../Metering.ts"
import { QrRules } from "./QrRules.ts"
import { QrBody, qrAnswers, qrQuery } from "./qrModels.ts"

const READABLE =
  "Each image is read back before it is sent. If it is unreadable, for example because of its colors, the answer is 400 with advice."

export class QrApi extends HttpApiGroup.make("qr")
  .add(
    HttpApiEndpoint.get("read", "/qr/generate", { query: qrQuery, success: qrAnswers })
      .annotate(Immutable, true)
      .annotateMerge(
        describe(
          "QR code",
          `A QR code as an image. ${READABLE} The same URL always gives the same image. Use POST for data that makes the URL longer than 3,000 characters.`,
        ),
      ),
    HttpApiEndpoint.post("generate", "/qr/generate", { payload: QrBody, success: qrAnswers }).annotateMerge(
      describe("QR code with a logo", `A QR code as an image, optionally with a logo in the middle. ${READABLE}`),
    ),
  )
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .middleware(QrRules)
  .middleware(Metering)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "QR codes", description: "QR codes as PNG, SVG or base64, optionally with a logo." })) {}
