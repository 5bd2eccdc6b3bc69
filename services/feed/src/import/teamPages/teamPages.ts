/** `team-pages`: an export of team pages, a folder of JSON files around its manifest: teams, players, matches by map, events, calendar. */
import { ArchiveWriter, type Written } from "@matchpoint/store/cs2/ArchiveWriter"
import { Effect, Stream } from "effect"
import { defineSource, tallyOf } from "../ImportSource.ts"
import { HLTV } from "../results/readResult.ts"
import { type PageRecord, readPages } from "./readPages.ts"

const MANIFEST = "manifest.json"

const read = /^(teams\/(index|aliases)|teams\/\d+\/(players|recent-overall|recent-lan)|events\/tiers|calendar\/upcoming)\.json$/

export const teamPages = defineSource({
  name: "team-pages",
  summary: "teams, players, recent maps, tiers of events and the calendar: a folder with a manifest.json",
  version: 1,
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
        if (record.kind === "event") written.push(yield* writer.event(record.event, { source: HLTV, at: record.at }))
        if (record.kind === "team") written.push(...(yield* writeTeam(record)))
      }
      const matches = records.flatMap((record) => (record.kind === "match" ? [record.match] : []))
      if (matches.length > 0) written.push(...(yield* writer.matches(matches)))
      return tallyOf(written)
    }),
})

const writeTeam = Effect.fnUntraced(function* ({ at, players, team }: Extract<PageRecord, { readonly kind: "team" }>) {
  const writer = yield* ArchiveWriter
  const seen = { source: HLTV, at }
  const written = [yield* writer.team(team, seen, players)]
  const number = written[0]?.entityNumber
  for (const player of players) written.push(yield* writer.player(player, seen, number))
  return written
})
