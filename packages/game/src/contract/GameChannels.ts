/** A game's messages for the AsyncAPI document. Channels, and messages that concern no game, are the same for all. */
import type { GameName } from "@matchpoint/domain/ids"
import type { Schema } from "effect"

export interface DocumentedMessage {
  readonly name: string
  readonly from: "client" | "server"
  readonly summary: string
  readonly schema: Schema.Codec<unknown>
  readonly examples: ReadonlyArray<unknown>
}

export interface GameChannels {
  readonly game: GameName
  /** In titles, such as `tennis`. */
  readonly title: string
  /** Their names are unique among all games. */
  readonly messages: ReadonlyArray<DocumentedMessage>
  /** Schemas that become shared definitions, with their names. */
  readonly definitions: ReadonlyArray<readonly [Schema.Top, string]>
}
