/**
 * `GET /asyncapi.json`. The document contains the public address of the server, which a client can choose by its `Host`
 * header. So it is built once, and the address is inserted into its text.
 */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { type PublicAddress, placeOf } from "@matchpoint/game/edge/publicAddress"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { LRUCache } from "lru-cache"
import { answerWithDigest, digestOf, type FixedAnswer } from "../responses/staticResponse.ts"

const ASYNCAPI_PATH = "/asyncapi.json"

/** Stands for the host. It is no valid host, so the document contains it nowhere else. */
const HOST = "<host of this server>"

/** Documents that are kept with their compressed forms. A server usually has one or two addresses. */
const KEPT_DOCUMENTS = 4

export const asyncApiRoute = (describe: (place: PublicAddress) => object) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const settings = yield* GatewayConfig
      const documentFor = documents(describe)
      yield* router.add(
        "GET",
        ASYNCAPI_PATH,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
          Effect.suspend(() => documentFor(placeOf(headers, settings) ?? { host: "localhost", secure: false }).answer),
        ),
      )
    }),
  )

/** `describe` is called at most twice, for HTTP and for HTTPS. */
export const documents = (describe: (place: PublicAddress) => object): ((place: PublicAddress) => FixedAnswer) => {
  const templates = new Map<boolean, Template>()
  const kept = new LRUCache<string, FixedAnswer>({ max: KEPT_DOCUMENTS })
  const templateFor = (secure: boolean): Template => {
    const known = templates.get(secure)
    if (known !== undefined) return known
    const text = JSON.stringify(describe({ host: HOST, secure }))
    const template = { parts: text.split(HOST), digest: digestOf(text) }
    templates.set(secure, template)
    return template
  }
  return ({ host, secure }) => {
    const key = `${secure} ${host}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const { digest, parts } = templateFor(secure)
    const document = answerWithDigest(parts.join(host), digestOf(`${digest} ${host}`), "application/json")
    kept.set(key, document)
    return document
  }
}

interface Template {
  /** Text of the document, split where the host belongs. */
  readonly parts: ReadonlyArray<string>
  readonly digest: string
}
