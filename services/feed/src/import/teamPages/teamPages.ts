/** `team-pages`: an export of team pages, a folder of JSON files around its manifest: teams, players, matches by map, calendar. */
import { ArchiveWriter, type Written } from "@matchpoint/store/cs2/ArchiveWriter"
import { Effect, Stream } from "effect"
import { defineSource, tallyOf } from "../ImportSource.ts"
import { type PageRecord, readPages } from "./readPages.ts"
import { TEAM_PAGES } from "./series.ts"

const MANIFEST = "manifest.json"

const read = /^(teams\/(index|aliases)|teams\/\d+\/(players|recent-overall|recent-lan)|calendar\/upcoming)\.json$/

export const teamPages = defineSource({
  name: TEAM_PAGES,
  summary: "teams, players, recent maps and the calendar: a folder with a manifest.json",
  version: 2,
  takes: (name) => name === MANIFEST || name.endsWith(`/${MANIFEST}`),
  companions: (name, beside) => {
    const root = name.slice(0, name.length - MANIFEST.length)
    return beside.filter((other) => other.startsWith(root) && read.test(other.slice(root.length)))
  },
  batchSize: 100,
  read: (file) => Stream.unwrap(Effect.map(readPages(file), Stream.fromIterable)),
  write: (records) =>
    Effect.gen(function* () {
      const writer = yield* ArchiveWriter
      const written: Array<Written> = []
      for (const record of records) {
        if (record.kind === "team") written.push(...(yield* writeTeam(record)))
      }
      const matches = records.flatMap((record) => (record.kind === "match" ? [record.match] : []))
      if (matches.length > 0) written.push(...(yield* writer.matches(matches)))
      return tallyOf(written)
    }),
})

const writeTeam = Effect.fnUntraced(function* ({ at, players, team }: Extract<PageRecord, { readonly kind: "team" }>) {
  const writer = yield* ArchiveWriter
  const seen = { source: TEAM_PAGES, at }
  const written = [yield* writer.team(team, seen, players)]
  const number = written[0]?.entityNumber
  for (const player of players) written.push(yield* writer.player(player, seen, number))
  return written
})
