/** Where the long-lived channels are, below the API root. */
import type { GameName } from "@matchpoint/domain/ids"

/** Matches of one game, or, if undefined, of every game that the caller's plan includes. */
export type Followed = GameName | undefined

/** `/<game>/live/ws` or `/live/ws`. */
export const socketPathOf = (game: Followed): `/${string}` => (game === undefined ? "/live/ws" : `/${game}/live/ws`)

/** `/<game>/live/stream` or `/live/stream`. */
export const streamPathOf = (game: Followed): `/${string}` => (game === undefined ? "/live/stream" : `/${game}/live/stream`)

/** `/<game>/live/:matchId/replay`. */
export const replayPathOf = (game: GameName): `/${string}` => `/${game}/live/:matchId/replay`
