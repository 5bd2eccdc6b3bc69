/**
 * Checks whether applying the patch between two documents yields the keys in the right order. It may not, because a
 * patch appends new keys at the end. JavaScript objects always list numeric keys in ascending order. Therefore only the
 * players of a match or of a map, whose keys are not numeric, can be out of order. The functions have no side effects.
 */
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import type { Document, DocumentParts } from "./DocumentEncoder.ts"

export const keepsOrder = (before: Document, after: Document): boolean =>
  before.parts !== undefined && after.parts !== undefined
    ? partsKeepOrder(before.parts, after.parts)
    : documentsKeepOrder(before.compact(), after.compact())

const partsKeepOrder = (before: DocumentParts, after: DocumentParts): boolean => {
  if (before.players !== after.players) {
    const { each } = after.players
    const sameIds =
      each.length === before.players.each.length && each.every((part, at) => part.shown.id === before.players.each[at]?.shown.id)
    if (!sameIds && !keysKeepOrder(before.players.compact, after.players.compact)) return false
  }
  if (before.maps === after.maps) return true
  return after.maps.each.every((part, at) => {
    const from = before.maps.each[at]
    return from === undefined || from === part || keysKeepOrder(from.compact.players, part.compact.players)
  })
}

const documentsKeepOrder = (before: CompactMatch, after: CompactMatch): boolean =>
  keysKeepOrder(before.players, after.players) &&
  Object.entries(after.maps).every(([number, map]) => keysKeepOrder(before.maps[number]?.players ?? {}, map.players))

/**
 * Returns true if the keys that both objects share are in the same order in both, and all new keys of `after` come
 * after them.
 */
const keysKeepOrder = (before: object, after: object): boolean => {
  if (before === after) return true
  const kept = Object.keys(before).filter((key) => key in after)
  return Object.keys(after).every((key, at) => at >= kept.length || kept[at] === key)
}
