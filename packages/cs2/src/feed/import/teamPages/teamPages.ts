/**
 * Import source `team-pages`: an export of team pages, a folder of JSON files with a manifest: teams, players, matches
 * with their maps, and the calendar of upcoming matches.
 */
import { defineSource, tallyOf } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"
import { ArchiveWriter } from "../../../archive/ArchiveWriter.ts"
import type { Written } from "../../../archive/writer/reports.ts"
import { type PageRecord, readPages } from "./readPages.ts"
import { TEAM_PAGES } from "./series.ts"

const MANIFEST = "manifest.json"

const read = /^(teams\/(index|aliases)|teams\/\d+\/(players|recent-overall|recent-lan)|calendar\/upcoming)\.json$/

export const teamPages = defineSource({
  name: TEAM_PAGES,
  summary: "teams, players, recent maps and the calendar: a folder with a manifest.json",
  version: 3,
  takes: (name) => name === MANIFEST || name.endsWith(`/${MANIFEST}`),
  companions: (name, others) => {
    const root = name.slice(0, name.length - MANIFEST.length)
    return others.filter((other) => other.startsWith(root) && read.test(other.slice(root.length)))
  },
  batchSize: 100,
  read: (file) => Stream.unwrap(Effect.map(readPages(file), Stream.fromIterable)),
  write: (records) =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      const pages = records.filter((record) => record.kind === "team")
      const written: ReadonlyArray<Written> = pages.length === 0 ? [] : yield* writePages(pages)
      const matches = records.flatMap((record) => (record.kind === "match" ? [record.match] : []))
      const played: ReadonlyArray<Written> = matches.length === 0 ? [] : yield* writer.matches(matches)
      return tallyOf([...written, ...played])
    }),
})

/** Teams before their players, because a player is identified by name and team. */
const writePages = Effect.fnUntraced(function* (pages: ReadonlyArray<Extract<PageRecord, { readonly kind: "team" }>>) {
  const writer = yield* ArchiveWriter
  const seen = (at: number) => ({ source: TEAM_PAGES, at })
  const teams = yield* writer.teams(pages.map(({ apartFrom, at, players, team }) => ({ team, seen: seen(at), roster: players, apartFrom })))
  const players = pages.flatMap(({ at, players }, index) =>
    players.map((player) => ({ player, seen: seen(at), teamNumber: teams[index]?.entityNumber })),
  )
  return [...teams, ...(yield* writer.players(players))]
})
