/** Live and replay channels, relative to the API root. */
import type { GameName } from "@matchpoint/domain/ids"

/** Undefined for a channel of all games that the caller's plan includes. */
export type ChannelGame = GameName | undefined

export const socketPathOf = (game: ChannelGame): `/${string}` => (game === undefined ? "/live/ws" : `/${game}/live/ws`)

export const streamPathOf = (game: ChannelGame): `/${string}` => (game === undefined ? "/live/stream" : `/${game}/live/stream`)

export const replayPathOf = (game: GameName): `/${string}` => `/${game}/live/:matchId/replay`
