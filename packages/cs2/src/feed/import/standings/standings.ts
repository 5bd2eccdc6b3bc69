/**
 * Import source `standings`: regional standings with the series on which the points are based, the components of the
 * points, and prize money. The series are imported first, because their lineups distinguish teams with the same name.
 */
import { csvRows } from "@matchpoint/game/feed/import/csv"
import { bytesOf } from "@matchpoint/game/feed/import/files"
import {
  addTally,
  defineSource,
  type ImportFile,
  nothingWritten,
  type ReadRecord,
  type Tally,
  tallyOf,
} from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Stream } from "effect"
import { ArchiveWriter } from "../../../archive/ArchiveWriter.ts"
import { RankingWriter } from "../../../archive/rankings/RankingWriter.ts"
import type { ArchivedMatch, TeamRef } from "../../../rules/archive/ArchivedMatch.ts"
import { ORGANISATION_KEY } from "../../../rules/archive/identity.ts"
import { nameKey } from "../../../rules/archive/names.ts"
import { listings } from "./listedNames.ts"
import { isKept } from "./listFields.ts"
import { type ListedSeries, type NameOn, type Series, seriesOfDay } from "./pairings.ts"
import { type Detail, type Prize, readDetail, readPrize, readSeries, readStanding, type Standing } from "./rows.ts"
import { Spellings } from "./spellings.ts"

const SOURCE = "standings"

type Played = { readonly _tag: "Played"; readonly match: ArchivedMatch }
type StandingsRecord = Played | Standing | Detail | Prize

const order = ["matches_derived.csv", "standings.csv", "team_details.csv", "prize_winnings.csv"]

const kindOf = (name: string): number => order.findIndex((one) => new RegExp(`(^|/)${one.replace(".", "\\.")}(\\.gz)?$`).test(name))

export const standings = defineSource<StandingsRecord, ArchiveWriter | RankingWriter>({
  name: SOURCE,
  summary: "regional standings, their series, factors and prize money: matches_derived, standings, team_details, prize_winnings .csv(.gz)",
  version: 2,
  takes: (name) => kindOf(name) >= 0,
  order: kindOf,
  companions: (name, names) =>
    [name.replace(/matches_derived|prize_winnings/, "standings")].filter((other) => other !== name && names.includes(other)),
  // Each batch loads the teams and players that it needs, so larger batches load less often. Writing one takes seconds.
  batchSize: 1_500,
  read: (file) => [playedIn, standingsIn, detailsIn, prizesIn][kindOf(file.name)]?.(file) ?? Stream.empty,
  write: (records) =>
    Effect.gen(function* () {
      const matches = records.flatMap((record) => (record._tag === "Played" ? [record.match] : []))
      const played = matches.length === 0 ? nothingWritten : tallyOf(yield* (yield* ArchiveWriter).matches(matches))
      return addTally(played, yield* writeRankings(records))
    }).pipe(Effect.onError(() => Effect.map(ArchiveWriter, (writer) => teamsKnownTo(writer).clear()))),
})

/**
 * Two passes: the first collects all handles, to distinguish players whose handles differ only in spelling, the second
 * converts the series, one day at a time.
 */
const playedIn = (file: ImportFile) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { nameOn } = yield* listings(file.companions)
      const spellings = new Spellings()
      const rows = Stream.map(csvRows(bytesOf(file)), readSeries)
      yield* Stream.runForEach(rows, (read) =>
        Effect.sync(() => {
          if (Result.isSuccess(read)) for (const { roster } of read.success.teams) spellings.add(roster)
        }),
      )
      return rows.pipe(
        Stream.groupAdjacentBy((read) => (Result.isSuccess(read) ? read.success.date : "")),
        Stream.flatMap(([, day]) => Stream.fromIterable(recordsOfDay(day, nameOn, spellings))),
      )
    }),
  )

const recordsOfDay = (
  day: ReadonlyArray<ReadRecord<ListedSeries>>,
  nameOn: NameOn,
  spellings: Spellings,
): ReadonlyArray<ReadRecord<StandingsRecord>> => {
  const rejected = day.flatMap((read) => (Result.isFailure(read) ? [Result.fail(read.failure)] : []))
  const listed = day.flatMap((read) => (Result.isSuccess(read) ? [read.success] : []))
  return [
    ...rejected,
    ...seriesOfDay(listed, nameOn).map((series) => Result.succeed({ _tag: "Played" as const, match: matchOf(series, spellings) })),
  ]
}

/** The standings contain only the winner of a series and its day, not the score or the time. */
const matchOf = ({ date, isLan, ordinal, teams, winner }: Series, spellings: Spellings): ArchivedMatch => {
  const lineup = (side: 0 | 1) => teams[side].roster.map((nickname) => ({ key: spellings.keyOf(nickname), nickname }))
  return {
    source: SOURCE,
    key: [date, teams[0].name, teams[1].name, ordinal].join("|"),
    status: "completed",
    startsAt: Date.parse(date),
    startsPrecision: "day",
    isLan: isLan ? true : undefined,
    teams: [organisation(teams[0].name), organisation(teams[1].name)],
    winner,
    lineups: [lineup(0), lineup(1)],
    games: [],
    confidence: "medium",
  }
}

/**
 * The lists contain names of organisations, so a name identifies the same organisation through all changes of its
 * lineup. A lineup that continues under another name has moved to another organisation. The prefix distinguishes this
 * key from a plain team name, which does not identify a team.
 */
const organisation = (name: string): TeamRef => ({ key: `${ORGANISATION_KEY}${nameKey(name)}`, name })

const standingsIn = (file: ImportFile) => csvRows(bytesOf(file)).pipe(Stream.filter(isKept), Stream.map(readStanding))

const detailsIn = (file: ImportFile) => csvRows(bytesOf(file)).pipe(Stream.filter(isKept), Stream.map(readDetail))

/** Several prizes of a team on the same day are in adjacent rows of the file. */
const prizesIn = (file: ImportFile) =>
  Stream.unwrap(
    Effect.map(listings(file.companions), ({ rosterOn }) =>
      Stream.mapAccum(
        csvRows(bytesOf(file)),
        () => ({ of: "", count: 0 }),
        (before, row) => {
          const of = `${row.team}|${row.event_end_date}`
          const nth = of === before.of ? before.count : 0
          return [{ of, count: nth + 1 }, [readPrize(row, nth, rosterOn)]] as const
        },
      ),
    ),
  )

const writeRankings = Effect.fnUntraced(function* (records: ReadonlyArray<StandingsRecord>) {
  const writer = yield* RankingWriter
  const places = yield* withTeams(records.filter((record) => record._tag === "Standing"))
  const details = yield* withTeams(records.filter((record) => record._tag === "Detail"))
  const prizes = yield* withTeams(records.filter((record) => record._tag === "Prize"))
  const changed =
    (places.length === 0
      ? 0
      : yield* writer.standings(
          SOURCE,
          places.map(({ date, points, rank, region, roster, teamNumber }) => ({
            region,
            rankedOn: date,
            rank,
            teamNumber,
            points,
            roster,
          })),
        )) +
    (details.length === 0
      ? 0
      : yield* writer.factors(
          details.map(({ date, factors, globalRank, teamNumber }) => ({ rankedOn: date, globalRank, teamNumber, factors })),
        )) +
    (prizes.length === 0 ? 0 : yield* writer.prizes(SOURCE, prizes))
  const rows = places.length + details.length + prizes.length
  // All changed rows count as created, because the writer does not report how many of them are new.
  return { created: changed, updated: 0, unchanged: Math.max(0, rows - changed) } satisfies Tally
})

/**
 * Finds the teams of records by name and lineup. The cache is cleared when a batch fails, because the rollback also
 * removes the teams that the batch created.
 */
const withTeams = Effect.fnUntraced(function* <A extends Standing | Detail | Prize>(records: ReadonlyArray<A>) {
  const writer = yield* ArchiveWriter
  const known = teamsKnownTo(writer)
  const unknown = new Map<string, A>()
  for (const record of records) {
    const key = teamKeyOf(record)
    if (!known.has(key) && !unknown.has(key)) unknown.set(key, record)
  }
  const reports = [...unknown.values()].map((record) => ({
    team: organisation(record.team),
    seen: { source: SOURCE, at: dateOf(record) },
    roster: record.roster.map(playerNamed),
  }))
  const written = reports.length === 0 ? [] : yield* writer.teams(reports)
  for (const [index, key] of [...unknown.keys()].entries()) {
    const team = written[index]
    if (team !== undefined) known.set(key, team.entityNumber)
  }
  return records.flatMap((record) => {
    const teamNumber = known.get(teamKeyOf(record))
    return teamNumber === undefined ? [] : [{ ...record, teamNumber }]
  })
})

/**
 * Contains the day, because an operator may have split a team at a date: the same name then means different teams
 * before and after it.
 */
const teamKeyOf = (record: Standing | Detail | Prize): string => JSON.stringify([record.team, dateOf(record), record.roster])
const dateOf = (record: Standing | Detail | Prize): number => Date.parse(record._tag === "Prize" ? record.endedOn : record.date)
const playerNamed = (nickname: string) => ({ key: nickname, nickname })

const teamsByWriter = new WeakMap<object, Map<string, number>>()

const teamsKnownTo = (writer: object): Map<string, number> => {
  const teams = teamsByWriter.get(writer) ?? new Map<string, number>()
  teamsByWriter.set(writer, teams)
  return teams
}
