/**
 * What a game adds to the AsyncAPI document: its messages. The channels themselves, and the messages that concern no
 * game, are the same for all games.
 */
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
  /** Name of the game in titles, such as `tennis`. */
  readonly title: string
  /** Messages about matches of the game. Their names are unique among all games. */
  readonly messages: ReadonlyArray<DocumentedMessage>
  /** Schemas that become shared definitions, with the names of the definitions. */
  readonly definitions: ReadonlyArray<readonly [Schema.Top, string]>
}
