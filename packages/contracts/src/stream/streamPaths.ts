/** Paths of the live and replay channels (WebSocket and SSE), relative to the API root. */
import type { GameName } from "@matchpoint/domain/ids"

/** The game of a channel, or undefined for a channel of all games that the caller's plan includes. */
export type ChannelGame = GameName | undefined

/** Returns the path of the WebSocket channel: `/<game>/live/ws` for one game, or `/live/ws` for all games. */
export const socketPathOf = (game: ChannelGame): `/${string}` => (game === undefined ? "/live/ws" : `/${game}/live/ws`)

/** Returns the path of the SSE channel: `/<game>/live/stream` for one game, or `/live/stream` for all games. */
export const streamPathOf = (game: ChannelGame): `/${string}` => (game === undefined ? "/live/stream" : `/${game}/live/stream`)

/** Returns the path of the replay channel of a game, `/<game>/live/:matchId/replay`. */
export const replayPathOf = (game: GameName): `/${string}` => `/${game}/live/:matchId/replay`
