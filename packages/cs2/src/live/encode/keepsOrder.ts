/**
 * Checks whether applying a patch yields the keys in the right order: a patch appends new keys at the end. JavaScript
 * objects list numeric keys in ascending order, so only the players of a match or of a map can be out of order.
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

/** Shared keys are in the same order in both, and all new keys of `after` come after them. */
const keysKeepOrder = (before: object, after: object): boolean => {
  if (before === after) return true
  const kept = Object.keys(before).filter((key) => key in after)
  return Object.keys(after).every((key, at) => at >= kept.length || kept[at] === key)
}
