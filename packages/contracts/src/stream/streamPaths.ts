/** Paths of the long-lived channels, relative to the API root. */
import type { GameName } from "@matchpoint/domain/ids"

/** The game of a channel, or undefined for a channel of all games that the caller's plan includes. */
export type Followed = GameName | undefined

/** Returns `/<game>/live/ws` or `/live/ws`. */
export const socketPathOf = (game: Followed): `/${string}` => (game === undefined ? "/live/ws" : `/${game}/live/ws`)

/** Returns `/<game>/live/stream` or `/live/stream`. */
export const streamPathOf = (game: Followed): `/${string}` => (game === undefined ? "/live/stream" : `/${game}/live/stream`)

/** Returns `/<game>/live/:matchId/replay`. */
export const replayPathOf = (game: GameName): `/${string}` => `/${game}/live/:matchId/replay`
