/** A live tennis match in message format v2, the document that deltas patch. */
import { liveDocument } from "@matchpoint/game/contract/liveDocument"
import { LiveTennisMatch } from "./LiveTennisMatch.ts"

export const tennisDocument = liveDocument(LiveTennisMatch, {
  time: "updated_at",
  lists: { sets: "set" },
  first: ["id", "status", "source", "tour", "format", "momentum", "statistics"],
})

export const CompactTennisMatch = tennisDocument.compact.annotate({ identifier: "CompactTennisMatch" })
export type CompactTennisMatch = typeof CompactTennisMatch.Type
