/**
 * Invalid values for parameters of the data sections, derived from the document's description of each, and unusual
 * values.
 */
import type { Parameter } from "./archiveOperations.ts"

const LONG = "x".repeat(2_000)

/** Ids and slugs by parameter name: valid in form, but unknown. */
export const absent: Readonly<Record<string, ReadonlyArray<string>>> = {
  matchId: ["cs2-match-99", "cs2-match-9999999999999999"],
  gameId: ["cs2-match-1001-map-9", "cs2-match-9999999999999999-map-1"],
  mapId: ["cs2-match-1001-map-9", "cs2-match-9999999999999999-map-1"],
  marketId: ["cs2-odds-99999", "cs2-odds-9999999999999999"],
  ...of("event", ["eventId", "eventIdOrSlug"]),
  ...of("team", ["teamId", "teamIdOrSlug"]),
  ...of("player", ["playerId", "playerIdOrSlug"]),
  ...of("skin", ["skinIdOrSlug"]),
}

function of(entity: string, names: ReadonlyArray<string>) {
  const values = [
    `cs2-${entity}-99999`,
    `cs2-${entity}-9999999999999999`,
    `cs2-${entity}-99999999999999999999`,
    `cs2-${entity}-0`,
    "nobody-of-that-name",
  ]
  return Object.fromEntries(names.map((name) => [name, values]))
}

/** Malformed ids. */
export const misshapen = [
  "0",
  "-1",
  "cs2-match-01",
  "cs2-match-1001-map-0",
  "' OR 1=1 --",
  "%",
  "_",
  "a/b",
  "\u0000",
  "🎮",
  "Č".repeat(100),
  LONG,
]

const numbers = ["", "abc", "1.5", "1e2", "0x10", " 1", "1 ", "+1", "NaN", "Infinity", "9007199254740993", "1".repeat(400), "一"]
const times = [
  "",
  "yesterday",
  "2026-13-01",
  "2026-02-30",
  "2026-01-01T25:00:00Z",
  "1767225600",
  "2026-01-01 00:00:00",
  "0000-01-01",
  "20260101",
]
const timed = new Set(["from", "to", "after", "before", "date"])

/** Returns values that must be rejected. */
export const wrongValues = ({ name, schema: { enum: known, maximum, minimum = 0, type } }: Parameter): ReadonlyArray<string> => {
  if (type === "integer") {
    const beyond = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [maximum + 1]
    return [...numbers, ...[minimum - 1, -1, ...beyond].map(String)]
  }
  if (known !== undefined) return ["", "nonsense", known.join(","), `${known[0]} `]
  if (timed.has(name)) return times
  if (name === "fields") return ["nonsense", "id,nonsense", "name;id", "constructor"]
  return ["\u0000", LONG]
}

/** Values that may be rejected or match nothing. */
export const odd = ["\u0000", "'", '"', "\\", "%", "_", "%%%", "';--", "🎮", "\u202e", "[]", "{}", "null", "undefined", "a".repeat(101)]
