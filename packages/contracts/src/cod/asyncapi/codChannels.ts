/** The messages about Call of Duty matches, for the AsyncAPI document. */
import { COD } from "@matchpoint/domain/cod/game"
import { PlayerId } from "@matchpoint/domain/cod/live/registry"
import { Schema } from "effect"
import type { GameChannels } from "../../game/GameChannels.ts"
import { stateHash } from "../../stream/compact/stateHash.ts"
import { framesOf } from "../../stream/frames.ts"
import { CompactCodMatch } from "../CompactCodMatch.ts"
import { LiveCodEvent, LiveCodMatch } from "../LiveCodMatch.ts"
import { change, compact, event, head, match } from "./exampleMatch.ts"

const UPDATE = "cod.live.update"
const SNAPSHOT = "cod.live.snapshot"
const DELTA = "cod.live.delta"

const { CompactSnapshot, LiveDelta, LiveSnapshot, LiveUpdate } = framesOf({
  update: Schema.Literal(UPDATE),
  snapshot: Schema.Literal(SNAPSHOT),
  delta: Schema.Literal(DELTA),
  full: LiveCodMatch,
  event: LiveCodEvent,
  compact: CompactCodMatch,
  compactEvent: LiveCodEvent,
})

const next: LiveCodEvent = {
  eventId: "1-159",
  type: "hill_scored",
  at: event.at,
  mapNumber: 1,
  team: 1,
  player: PlayerId.make("able"),
  team1Score: 97,
  team2Score: 71,
}

export const codChannels: GameChannels = {
  game: COD,
  title: "Call of Duty",
  messages: [
    {
      name: `${SNAPSHOT}.v2`,
      from: "server",
      summary: "Current state of a Call of Duty match in shape v2, to which deltas apply.",
      schema: CompactSnapshot,
      examples: [{ type: SNAPSHOT, shape: "v2", ...head, hash: stateHash(compact), data: compact }],
    },
    {
      name: SNAPSHOT,
      from: "server",
      summary: "Current state of a Call of Duty match in shape v1.",
      schema: LiveSnapshot,
      examples: [{ type: SNAPSHOT, ...head, event, data: match }],
    },
    {
      name: UPDATE,
      from: "server",
      summary: "Change of a Call of Duty match in shape v1: the whole match after the change.",
      schema: LiveUpdate,
      examples: [{ type: UPDATE, ...head, event, data: match }],
    },
    {
      name: DELTA,
      from: "server",
      summary: "Change of a Call of Duty match in shape v2: a JSON merge patch for the document at `base`.",
      schema: LiveDelta,
      examples: [{ type: DELTA, ...head, seq: head.seq + 1, base: head.seq, events: [next], ...change }],
    },
  ],
  definitions: [
    [LiveCodMatch, "LiveCodMatch"],
    [LiveCodEvent, "LiveCodEvent"],
    [CompactCodMatch, "CompactCodMatch"],
  ],
}
