/** What each live channel takes to be let in. Pure data; who has it is decided by entitlements.ts of metering. */

import { type GameName, gameName } from "@matchpoint/domain/ids"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import type { Feature, Game } from "@matchpoint/domain/plans"

export interface LiveChannel {
  readonly game: Game
  readonly feature?: Feature
  /** Under which name it is billed. Undefined: what is done on it is, not the connection. */
  readonly billedAs: StreamChannel | undefined
  /** Whether it is one of the connections that a plan allows; a stream on a connection that is one already is none. */
  readonly isConnection: boolean
}

/** The game whose matches are followed on the channels of CS2. */
export const cs2Game: GameName = gameName("cs2")

export const channels = {
  socket: { game: "cs2", feature: "live-websockets", billedAs: "websocket", isConnection: true },
  stream: { game: "cs2", billedAs: "sse", isConnection: true },
  replay: { game: "cs2", billedAs: "replay", isConnection: true },
  rpcSocket: { game: "cs2", feature: "live-websockets", billedAs: undefined, isConnection: true },
  rpcStream: { game: "cs2", billedAs: "rpc", isConnection: true },
  rpcStreamOnSocket: { game: "cs2", billedAs: "rpc", isConnection: false },
} as const satisfies Record<string, LiveChannel>
