/** The messages about tennis matches, for the AsyncAPI document. */
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { Schema } from "effect"
import type { GameChannels } from "../../game/GameChannels.ts"
import { stateHash } from "../../stream/compact/stateHash.ts"
import { framesOf } from "../../stream/frames.ts"
import { CompactTennisMatch } from "../CompactTennisMatch.ts"
import { LiveTennisEvent, LiveTennisMatch } from "../LiveTennisMatch.ts"
import { change, compact, event, head, match } from "./exampleMatch.ts"

const UPDATE = "tennis.live.update"
const SNAPSHOT = "tennis.live.snapshot"
const DELTA = "tennis.live.delta"

const { CompactSnapshot, LiveDelta, LiveSnapshot, LiveUpdate } = framesOf({
  update: Schema.Literal(UPDATE),
  snapshot: Schema.Literal(SNAPSHOT),
  delta: Schema.Literal(DELTA),
  full: LiveTennisMatch,
  event: LiveTennisEvent,
  compact: CompactTennisMatch,
  compactEvent: LiveTennisEvent,
})

const next = { ...event, eventId: "1-59", point: 5, winner: 2, kind: "ace" } as const

export const tennisChannels: GameChannels = {
  game: TENNIS,
  title: "tennis",
  messages: [
    {
      name: `${SNAPSHOT}.v2`,
      from: "server",
      summary: "Current state of a tennis match in shape v2, to which deltas apply.",
      schema: CompactSnapshot,
      examples: [{ type: SNAPSHOT, shape: "v2", ...head, hash: stateHash(compact), data: compact }],
    },
    {
      name: SNAPSHOT,
      from: "server",
      summary: "Current state of a tennis match in shape v1.",
      schema: LiveSnapshot,
      examples: [{ type: SNAPSHOT, ...head, event, data: match }],
    },
    {
      name: UPDATE,
      from: "server",
      summary: "Change of a tennis match in shape v1: the whole match after the change.",
      schema: LiveUpdate,
      examples: [{ type: UPDATE, ...head, event, data: match }],
    },
    {
      name: DELTA,
      from: "server",
      summary: "Change of a tennis match in shape v2: a JSON merge patch for the document at `base`.",
      schema: LiveDelta,
      examples: [{ type: DELTA, ...head, seq: head.seq + 1, base: head.seq, events: [next], ...change }],
    },
  ],
  definitions: [
    [LiveTennisMatch, "LiveTennisMatch"],
    [LiveTennisEvent, "LiveTennisEvent"],
    [CompactTennisMatch, "CompactTennisMatch"],
  ],
}
