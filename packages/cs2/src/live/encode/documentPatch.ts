/** Patch between two documents of a match in format v2. Equals the result of `diff`, without building the documents. */
import { diff, diffFields, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { compactGame, withoutNulls } from "../../contract/compactOf.ts"
import type { LiveGame, LiveMatch } from "../../contract/LiveMatch.ts"
import type { Document, DocumentParts } from "./DocumentEncoder.ts"

/** If `before` is undefined, the patch creates the whole document. */
export const documentPatch = (before: Document | undefined, after: Document): JsonObject =>
  (before?.parts === undefined || after.parts === undefined
    ? diff(before === undefined ? {} : before.compact(), after.compact())
    : partsPatch(before.parts, after.parts)) ?? {}

/** The keys are in the order of the v2 document, and removed keys come last. */
const partsPatch = (before: DocumentParts, after: DocumentParts): JsonObject => {
  const patch: Record<string, unknown> = {}
  const gone: Array<string> = []
  const put = (key: string, change: unknown): void => {
    if (change === null) gone.push(key)
    else if (change !== undefined) patch[key] = change
  }
  const shared = diffFields(before.shared, after.shared)
  if (shared !== undefined) for (const key in shared) put(key, shared[key])
  // Compared by reference, because an unchanged list is always the same array.
  if (before.unavailableFields !== after.unavailableFields) patch.unavailableFields = after.unavailableFields
  put("team1", after.team1.since(before.team1))
  put("team2", after.team2.since(before.team2))
  put("maps", after.maps.since(before.maps))
  put("game", optionalChange(before.game, after.game, gameChange))
  put("players", after.players.since(before.players))
  put("rounds", after.rounds.since(before.rounds))
  put("timeout", optionalChange(before.timeout, after.timeout, timeoutChange))
  for (const key of gone) patch[key] = null
  return patch
}

/** Undefined if the value is unchanged or absent both before and after, `null` if it was removed. */
const optionalChange = <A>(before: A | null, after: A | null, change: (before: A | undefined, after: A) => unknown): unknown =>
  after === null ? (before === null ? undefined : null) : change(before ?? undefined, after)

const gameChange = (before: LiveGame | undefined, after: LiveGame) =>
  before === undefined ? compactGame(after) : diff(compactGame(before), compactGame(after))

type Timeout = NonNullable<LiveMatch["timeout"]>

const timeoutChange = (before: Timeout | undefined, after: Timeout) =>
  before === undefined ? withoutNulls(after) : diffFields(before, after)
