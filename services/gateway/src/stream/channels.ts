/**
 * Defines what each live channel requires from a customer. This module contains only data. `entitlements.ts` of the
 * metering package checks whether a customer meets the requirements.
 */
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { type GameName, gameName } from "@matchpoint/domain/ids"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import { type Feature, Game } from "@matchpoint/domain/plans"
import { Schema } from "effect"

export interface LiveChannel {
  /** The game that the plan must include. Undefined if the channel requires no particular game. */
  readonly game: Game | undefined
  readonly feature?: Feature
  /**
   * Name under which the connection is billed. If undefined, the connection itself is not billed, only the calls and
   * streams on it.
   */
  readonly billedAs: StreamChannel | undefined
  /**
   * True if the channel counts towards the plan's connection limit. False for a stream on a connection that is already
   * counted.
   */
  readonly isConnection: boolean
}

const isSection = Schema.is(Game)
const sectionOf = (followed: ChannelGame): Game | undefined => (isSection(followed) ? followed : undefined)

export const socketChannel = (followed: ChannelGame): LiveChannel => ({
  game: sectionOf(followed),
  feature: "live-websockets",
  billedAs: "websocket",
  isConnection: true,
})

export const streamChannel = (followed: ChannelGame): LiveChannel => ({ game: sectionOf(followed), billedAs: "sse", isConnection: true })

export const replayChannel = (game: GameName): LiveChannel => ({ game: sectionOf(game), billedAs: "replay", isConnection: true })

/**
 * Channel assigned to WebSockets that are used for RPC. It is not tied to a game, because an RPC call can concern any
 * game.
 */
export const rpcSocket: LiveChannel = { game: undefined, feature: "live-websockets", billedAs: undefined, isConnection: true }

/**
 * Returns the channel of an RPC call or stream. `isConnection` is true if the call or stream has its own connection.
 */
export const rpcChannel = (followed: ChannelGame, isConnection: boolean): LiveChannel => ({
  game: sectionOf(followed),
  billedAs: "rpc",
  isConnection,
})

/**
 * Returns the game whose matches the client may see: the game of the channel, otherwise the game of a single-game plan.
 * Returns undefined if the client may see all games.
 */
export const visibleGame = (followed: ChannelGame, { game }: Pick<Customer, "game">): ChannelGame =>
  followed ?? (game === null ? undefined : gameName(game))
