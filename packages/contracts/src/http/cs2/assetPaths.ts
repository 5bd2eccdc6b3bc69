/** Where the pictures of the CS2 section are: relative paths, as answers name them. The gateway draws and serves them, without a key. */
import type { Side } from "@matchpoint/domain/cs2/live/rules"

/** A name as pictures of teams, people and tournaments are called: lower case, signs as `_`. */
export const pictureName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60) || "unknown"

export const ASSETS_ROOT = "/assets/cs2"

/** What a weapon, a way to win, a side or a map may be called: also what the routes take. */
export const assetName = /^[a-z0-9_]{1,60}$/

export const weaponIconPath = (weapon: string): string => `${ASSETS_ROOT}/weapons/${weapon}.svg`
export const winIconPath = (kind: string): string => `${ASSETS_ROOT}/win/${kind}.svg`
export const sideIconPath = (side: Side): string => `${ASSETS_ROOT}/sides/${side.toLowerCase()}.svg`
export const mapImagePath = (map: string): string => `${ASSETS_ROOT}/maps/${map}.svg`

const teamLogos = { light: "teams", alternate: "teams-alternate", dark: "teams-dark" } as const

/** `light`, `dark`: the ground that the logo is for; `alternate`: without the name. */
export const teamLogoPath = (team: string, variant: keyof typeof teamLogos): string => `${ASSETS_ROOT}/${teamLogos[variant]}/${team}.svg`
export const playerPicturePath = (player: string): string => `${ASSETS_ROOT}/players/${player}.svg`
export const eventPicturePath = (event: string, kind: "logo" | "banner"): string =>
  `${ASSETS_ROOT}/${kind === "logo" ? "events" : "event-banners"}/${event}.svg`
