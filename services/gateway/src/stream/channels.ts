/**
 * Requirements of each live channel. Pure data. `entitlements.ts` of the metering package checks whether a customer
 * meets them.
 */

import type { Followed } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { type GameName, gameName } from "@matchpoint/domain/ids"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import { type Feature, Game } from "@matchpoint/domain/plans"
import { Schema } from "effect"

export interface LiveChannel {
  /** The section that the plan must include. Undefined: none in particular. */
  readonly game: Game | undefined
  readonly feature?: Feature
  /**
   * Name under which the connection is billed. Undefined: the calls and streams on the connection are billed instead.
   */
  readonly billedAs: StreamChannel | undefined
  /**
   * True if the channel counts towards the plan's connections. False for a stream on a connection that is already
   * counted.
   */
  readonly isConnection: boolean
}

const isSection = Schema.is(Game)
const sectionOf = (followed: Followed): Game | undefined => (isSection(followed) ? followed : undefined)

export const socketChannel = (followed: Followed): LiveChannel => ({
  game: sectionOf(followed),
  feature: "live-websockets",
  billedAs: "websocket",
  isConnection: true,
})

export const streamChannel = (followed: Followed): LiveChannel => ({ game: sectionOf(followed), billedAs: "sse", isConnection: true })

export const replayChannel = (game: GameName): LiveChannel => ({ game: sectionOf(game), billedAs: "replay", isConnection: true })

/** A WebSocket for RPC calls about any game. */
export const rpcSocket: LiveChannel = { game: undefined, feature: "live-websockets", billedAs: undefined, isConnection: true }

/** An RPC call or stream. `isConnection` is true if it has a connection of its own. */
export const rpcChannel = (followed: Followed, isConnection: boolean): LiveChannel => ({
  game: sectionOf(followed),
  billedAs: "rpc",
  isConnection,
})

/**
 * Returns the game whose matches the client sees: the channel's game, otherwise the game of a single-game plan.
 * Undefined: all games.
 */
export const seenOn = (followed: Followed, { game }: Pick<Customer, "game">): Followed =>
  followed ?? (game === null ? undefined : gameName(game))
