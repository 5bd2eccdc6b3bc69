/** What each live channel takes to be let in. Pure data; who has it is decided by entitlements.ts of metering. */

import type { Followed } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { type GameName, gameName } from "@matchpoint/domain/ids"
import type { StreamChannel } from "@matchpoint/domain/metering/leases"
import { type Feature, Game } from "@matchpoint/domain/plans"
import { Schema } from "effect"

export interface LiveChannel {
  /** The section that the plan must include. Undefined: any. */
  readonly game: Game | undefined
  readonly feature?: Feature
  /** Under which name it is billed. Undefined: what is done on it is, not the connection. */
  readonly billedAs: StreamChannel | undefined
  /** Whether it is one of the connections that a plan allows; a stream on a connection that is one already is none. */
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

/** A socket on which RPC of any game is spoken. */
export const rpcSocket: LiveChannel = { game: undefined, feature: "live-websockets", billedAs: undefined, isConnection: true }

/** A call or stream of RPC. `isConnection`: it has a connection of its own. */
export const rpcChannel = (followed: Followed, isConnection: boolean): LiveChannel => ({
  game: sectionOf(followed),
  billedAs: "rpc",
  isConnection,
})

/** The game whose matches a client sees on a channel: the channel's, or that of a plan for one game. Undefined: every game. */
export const seenOn = (followed: Followed, { game }: Pick<Customer, "game">): Followed =>
  followed ?? (game === null ? undefined : gameName(game))
