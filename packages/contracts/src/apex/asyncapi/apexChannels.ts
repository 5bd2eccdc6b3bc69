/** The messages about Apex lobbies, for the AsyncAPI document. */
import { APEX } from "@matchpoint/domain/apex/game"
import { Schema } from "effect"
import type { GameChannels } from "../../game/GameChannels.ts"
import { stateHash } from "../../stream/compact/stateHash.ts"
import { framesOf } from "../../stream/frames.ts"
import { CompactApexMatch } from "../CompactApexMatch.ts"
import { LiveApexEvent, LiveApexMatch } from "../LiveApexMatch.ts"
import { change, compact, event, head, match } from "./exampleLobby.ts"

const UPDATE = "apex.live.update"
const SNAPSHOT = "apex.live.snapshot"
const DELTA = "apex.live.delta"

const { CompactSnapshot, LiveDelta, LiveSnapshot, LiveUpdate } = framesOf({
  update: Schema.Literal(UPDATE),
  snapshot: Schema.Literal(SNAPSHOT),
  delta: Schema.Literal(DELTA),
  full: LiveApexMatch,
  event: LiveApexEvent,
  compact: CompactApexMatch,
  compactEvent: LiveApexEvent,
})

const next = { ...event, eventId: "1-59", type: "kill", cause: "player", eliminated: { team: 2, placement: 2 } } as const

export const apexChannels: GameChannels = {
  game: APEX,
  title: "Apex",
  messages: [
    {
      name: `${SNAPSHOT}.v2`,
      from: "server",
      summary: "Current state of an Apex lobby in shape v2, to which deltas apply.",
      schema: CompactSnapshot,
      examples: [{ type: SNAPSHOT, shape: "v2", ...head, hash: stateHash(compact), data: compact }],
    },
    {
      name: SNAPSHOT,
      from: "server",
      summary: "Current state of an Apex lobby in shape v1.",
      schema: LiveSnapshot,
      examples: [{ type: SNAPSHOT, ...head, event, data: match }],
    },
    {
      name: UPDATE,
      from: "server",
      summary: "Change of an Apex lobby in shape v1: the whole lobby after the change.",
      schema: LiveUpdate,
      examples: [{ type: UPDATE, ...head, event, data: match }],
    },
    {
      name: DELTA,
      from: "server",
      summary: "Change of an Apex lobby in shape v2: a JSON merge patch for the document at `base`.",
      schema: LiveDelta,
      examples: [{ type: DELTA, ...head, seq: head.seq + 1, base: head.seq, events: [next], ...change }],
    },
  ],
  definitions: [
    [LiveApexMatch, "LiveApexMatch"],
    [LiveApexEvent, "LiveApexEvent"],
    [CompactApexMatch, "CompactApexMatch"],
  ],
}
