/**
 * Reads the description of a tournament: its days, their lobbies ("matchups") and the rotation of maps. The files have
 * no dates, so those of known tournaments are listed here.
 */
import { Schema } from "effect"
import type { ApexTournament } from "../series.ts"

const Matchup = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  /** `auto` if the description does not state the number of games. */
  games: Schema.optionalKey(Schema.Union([Schema.Natural, Schema.String])),
  maps: Schema.optionalKey(Schema.String),
})

export const TournamentFile = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,59}$/u)),
  name: Schema.String.check(Schema.isPattern(/^\P{Cc}{1,120}$/u)),
  description: Schema.optionalKey(Schema.String),
  days: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, matchups: Schema.Array(Matchup) })),
})
export type TournamentFile = typeof TournamentFile.Type

interface KnownTournament {
  /** Folder of the lobby files, if it is not named like the tournament. */
  readonly folder: string
  readonly startsOn: string
  readonly endsOn: string
  readonly location: string
}

/** Dates and places as announced by the organizers. */
const known: Readonly<Record<string, KnownTournament>> = {
  "year-4-championship": { folder: "year4champions", startsOn: "2025-01-29", endsOn: "2025-02-02", location: "Sapporo, Japan" },
  "year-5-open": { folder: "year5champions", startsOn: "2025-05-01", endsOn: "2025-05-04", location: "New Orleans, United States" },
  "ewc-2025": { folder: "ewc2025", startsOn: "2025-07-10", endsOn: "2025-07-13", location: "Riyadh, Saudi Arabia" },
}

/** Folders of unknown tournaments are named by the tournament's id. */
export const tournamentOfFolder = (folder: string): string =>
  Object.entries(known).find(([, tournament]) => tournament.folder === folder)?.[0] ?? slugOf(folder)

/** Only international tournaments are known. */
export const knownTournament = (tournamentId: string): KnownTournament | undefined => known[tournamentId]

export const tournamentOf = ({ description, id, name }: TournamentFile): ApexTournament => {
  const facts = known[id]
  return {
    tournamentId: id,
    name,
    description: description ?? null,
    region: facts === undefined ? null : "global",
    source: "import",
    startsOn: facts?.startsOn ?? null,
    endsOn: facts?.endsOn ?? null,
    location: facts?.location ?? null,
  }
}

/** Description of a lobby, and the name of its day. */
export const matchupOf = (tournament: TournamentFile | undefined, id: string) => {
  for (const { matchups, name } of tournament?.days ?? []) {
    const matchup = matchups.find((one) => one.id === id)
    if (matchup !== undefined) return { ...matchup, day: name }
  }
  return undefined
}

/** Part of an id: lower-case letters, digits and hyphens. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "") || "unnamed"

/**
 * Map of each game from a rotation such as `E-District (3) → Storm Point (2)`, with null for `Mixed`. If the rotation
 * states no numbers of games, all maps are played equally often, one after another. All maps are null if the rotation
 * does not fit the number of games.
 */
export const mapsOfRotation = (rotation: string | undefined, games: number, aliases: Readonly<Record<string, string>>) => {
  const unknown = Array.from({ length: games }, () => null)
  if (rotation === undefined) return unknown
  const parts = rotation.split("→").map((part) => /^\s*(.*?)\s*(?:\((\d{1,2})\))?\s*$/u.exec(part))
  const equal = games / parts.length
  const maps = parts.flatMap((part) => {
    const name = part?.[1] ?? ""
    const count = part?.[2] === undefined ? equal : Number(part[2])
    if (!Number.isInteger(count)) return []
    return Array.from({ length: count }, () => (name === "" || name === "Mixed" ? null : (aliases[name] ?? name)))
  })
  return maps.length === games ? maps : unknown
}
