/** Where the pictures of the CS2 section are: relative paths, as answers name them. The gateway draws and serves them, without a key. */
import type { Side } from "@matchpoint/domain/cs2/rules"

export const ASSETS_ROOT = "/assets/cs2"

/** What a weapon, a way to win, a side or a map may be called: also what the routes take. */
export const assetName = /^[a-z0-9_]{1,60}$/

export const weaponIconPath = (weapon: string): string => `${ASSETS_ROOT}/weapons/${weapon}.svg`
export const winIconPath = (kind: string): string => `${ASSETS_ROOT}/win/${kind}.svg`
export const sideIconPath = (side: Side): string => `${ASSETS_ROOT}/sides/${side.toLowerCase()}.svg`
export const mapImagePath = (map: string): string => `${ASSETS_ROOT}/maps/${map}.svg`
