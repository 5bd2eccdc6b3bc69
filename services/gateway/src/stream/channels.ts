/** Requirements of each live channel for a customer, as data. `entitlements.ts` of the metering package checks them. */
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { type GameName, gameName } from "@matchpoint/domain/ids"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import { type Feature, Game } from "@matchpoint/domain/plans"
import { Schema } from "effect"

export interface LiveChannel {
  /** Game that the plan must include, if any. */
  readonly game: Game | undefined
  readonly feature?: Feature
  /** If undefined, only the calls and streams on the connection are billed. */
  readonly billedAs: StreamChannel | undefined
  /** False for a stream on a connection that already counts towards the plan's limit. */
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

/** Not tied to a game: an RPC call can concern any game. */
export const rpcSocket: LiveChannel = { game: undefined, feature: "live-websockets", billedAs: undefined, isConnection: true }

/** `isConnection`: the call or stream has its own connection. */
export const rpcChannel = (followed: ChannelGame, isConnection: boolean): LiveChannel => ({
  game: sectionOf(followed),
  billedAs: "rpc",
  isConnection,
})

/** The game of the channel, otherwise that of a single-game plan. Undefined if the client may see all games. */
export const visibleGame = (followed: ChannelGame, { game }: Pick<Customer, "game">): ChannelGame =>
  followed ?? (game === null ? undefined : gameName(game))
