/** The frames of a game's matches for the AsyncAPI document. */
import { frameNames } from "@matchpoint/contracts/game/LiveContract"
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { framesOf } from "@matchpoint/contracts/stream/frames"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import type { GameChannels } from "./GameChannels.ts"

/** Without the match document. */
export const exampleHead = <const Seq extends number>(matchId: MatchId, seq: Seq) =>
  ({
    publishedAt: "2026-03-01T18:22:10.452Z",
    position: 90_240,
    matchId,
    epoch: 1,
    seq,
    observedAt: "2026-03-01T18:22:10.400Z",
    receivedAt: "2026-03-01T18:22:10.440Z",
  }) as const

export interface MatchChannelsOptions {
  readonly game: GameName
  /** In titles, such as `tennis`. */
  readonly title: string
  /** Such as `a tennis match`. Later sentences use its last word. */
  readonly subject: string
  /** In message formats v1 and v2; an event is the same in both. */
  readonly full: Schema.Codec<unknown>
  readonly compact: Schema.Codec<unknown>
  readonly event: Schema.Codec<unknown>
  /** Names of shared definitions. */
  readonly names: { readonly full: string; readonly compact: string; readonly event: string }
  /** A message of each kind. `change` is the patch, and any hash, of the delta with the event `next`. */
  readonly example: {
    readonly head: ReturnType<typeof exampleHead>
    readonly event: unknown
    readonly match: unknown
    readonly compact: JsonObject
    readonly next: unknown
    readonly change: object
  }
}

export const matchChannels = ({ compact, event, example, full, game, names, subject, title }: MatchChannelsOptions): GameChannels => {
  const { delta, snapshot, update } = frameNames(game)
  const { head } = example
  const frames = framesOf({
    update: Schema.Literal(update),
    snapshot: Schema.Literal(snapshot),
    delta: Schema.Literal(delta),
    full,
    event,
    compact,
    compactEvent: event,
  })
  return {
    game,
    title,
    messages: [
      {
        name: `${snapshot}.v2`,
        from: "server",
        summary: `Current state of ${subject} in shape v2, to which deltas apply.`,
        schema: frames.CompactSnapshot,
        examples: [{ type: snapshot, shape: "v2", ...head, hash: stateHash(example.compact), data: example.compact }],
      },
      {
        name: snapshot,
        from: "server",
        summary: `Current state of ${subject} in shape v1.`,
        schema: frames.LiveSnapshot,
        examples: [{ type: snapshot, ...head, event: example.event, data: example.match }],
      },
      {
        name: update,
        from: "server",
        summary: `Change of ${subject} in shape v1: the whole ${subject.slice(subject.lastIndexOf(" ") + 1)} after the change.`,
        schema: frames.LiveUpdate,
        examples: [{ type: update, ...head, event: example.event, data: example.match }],
      },
      {
        name: delta,
        from: "server",
        summary: `Change of ${subject} in shape v2: a JSON merge patch for the document at \`base\`.`,
        schema: frames.LiveDelta,
        examples: [{ type: delta, ...head, seq: head.seq + 1, base: head.seq, events: [example.next], ...example.change }],
      },
    ],
    definitions: [
      [full, names.full],
      [event, names.event],
      [compact, names.compact],
    ],
  }
}
