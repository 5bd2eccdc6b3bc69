/** Paths of images, relative as in responses. The gateway generates the images and serves them without an API key. */
import type { Side } from "../../rules/live/rules.ts"

/** The name in lower case. `_` replaces each sequence of characters other than letters and digits. */
export const pictureName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60) || "unknown"

export const ASSETS_ROOT = "/assets/cs2"

/** Weapons, win types, sides and maps in image paths. The routes accept no other names. */
export const assetName = /^[a-z0-9_]{1,60}$/

export const weaponIconPath = (weapon: string): string => `${ASSETS_ROOT}/weapons/${weapon}.svg`
export const winIconPath = (kind: string): string => `${ASSETS_ROOT}/win/${kind}.svg`
export const sideIconPath = (side: Side): string => `${ASSETS_ROOT}/sides/${side.toLowerCase()}.svg`
export const mapImagePath = (map: string): string => `${ASSETS_ROOT}/maps/${map}.svg`

const teamLogos = { light: "teams", alternate: "teams-alternate", dark: "teams-dark" } as const

/** `light` and `dark` are for light and dark backgrounds; `alternate` is a logo without the team name. */
export const teamLogoPath = (team: string, variant: keyof typeof teamLogos): string => `${ASSETS_ROOT}/${teamLogos[variant]}/${team}.svg`
export const playerPicturePath = (player: string): string => `${ASSETS_ROOT}/players/${player}.svg`
export const eventPicturePath = (event: string, kind: "logo" | "banner"): string =>
  `${ASSETS_ROOT}/${kind === "logo" ? "events" : "event-banners"}/${event}.svg`
