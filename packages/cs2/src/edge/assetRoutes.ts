/** Serves the images of `assetPaths.ts`: public, cacheable, generated on first request and then kept in memory. */
import { createHash } from "node:crypto"
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { namesTag } from "@matchpoint/game/edge/responses/entityTag"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ASSETS_ROOT, assetName } from "../contract/http/assetPaths.ts"
import { eventBanner, eventLogo, playerPortrait, teamLogo, teamLogoAlternate, teamLogoDark } from "./live/icons/emblems.ts"
import { mapCard, sidePicture, winPicture } from "./live/icons/signs.ts"
import { type Picture, svg } from "./live/icons/svg.ts"
import { weaponPicture } from "./live/icons/weapons.ts"

const drawn = (picture: Picture | undefined): string | undefined => (picture === undefined ? undefined : svg(picture))

/** The function that draws the image with a given name, by kind. Undefined if there is no such image. */
const kinds: Readonly<Record<string, (name: string) => string | undefined>> = {
  weapons: (name) => svg(weaponPicture(name)),
  win: (name) => drawn(winPicture(name)),
  sides: (name) => drawn(sidePicture(name)),
  maps: mapCard,
  teams: teamLogo,
  "teams-alternate": teamLogoAlternate,
  "teams-dark": teamLogoDark,
  players: playerPortrait,
  events: eventLogo,
  "event-banners": eventBanner,
}

interface Asset {
  readonly etag: string
  readonly whole: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

/** Limits the memory, because anyone may request any name. Further images are drawn again for each request. */
const KEPT = 500
const assets = new Map<string, Asset | undefined>()

const assetOf = (kind: string, file: string): Asset | undefined => {
  const key = `${kind}/${file}`
  if (assets.has(key)) return assets.get(key)
  const name = file.endsWith(".svg") ? file.slice(0, -".svg".length) : ""
  const text = assetName.test(name) && Object.hasOwn(kinds, kind) ? kinds[kind]?.(name) : undefined
  const asset = text === undefined ? undefined : made(text)
  if (asset !== undefined && assets.size < KEPT) assets.set(key, asset)
  return asset
}

const made = (text: string): Asset => {
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`
  const headers = {
    etag,
    "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
    "cross-origin-resource-policy": "cross-origin",
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
  }
  return {
    etag,
    whole: HttpServerResponse.text(text, { contentType: "image/svg+xml", headers }),
    unchanged: HttpServerResponse.empty({ status: 304, headers }),
  }
}

const nowhere = HttpServerResponse.jsonUnsafe(body("NOT_FOUND", "no image has this name; responses contain the URLs of all images"), {
  status: errorStatus.NOT_FOUND,
})

export const AssetRoutes = HttpRouter.add(
  "GET",
  `${ASSETS_ROOT}/:kind/:file`,
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { kind = "", file = "" } = yield* HttpRouter.params
    const asset = assetOf(kind, file)
    if (asset === undefined) return nowhere
    return namesTag(headers["if-none-match"], asset.etag) ? asset.unchanged : asset.whole
  }),
)
