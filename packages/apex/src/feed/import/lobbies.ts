/**
 * Import source `lobbies`: one CSV file per lobby, `<tournament>/raw/<lobby>.csv`, read together with the description of
 * the tournament and the optional files of totals, players and bans beside it. Each file gives one series.
 */
import { csvRows } from "@matchpoint/game/feed/import/csv"
import { bytesOf, jsonAs, textOf } from "@matchpoint/game/feed/import/files"
import { accept, defineSource, type ImportFile, type ReadRecord, reject, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Schema, Stream } from "effect"
import { ApexArchiveWriter } from "../../archive/ApexArchiveWriter.ts"
import { seriesOfLobby } from "../../rules/archive/files/lobbyFile.ts"
import { type Line, lobbyColumns, readBan, readLobbyLine, readPlayerLine, readTotal } from "../../rules/archive/files/lobbyLines.ts"
import { TournamentFile, tournamentOfFolder } from "../../rules/archive/files/tournamentFile.ts"
import type { ApexSeries } from "../../rules/archive/series.ts"

const lobbyFile = /^(?<above>.*?)(?<folder>[^/]+)\/raw\/(?<lobby>[^/]+?)\.csv(?:\.gz)?$/u
const detailFile = /_(?:points|players|bans)\.csv(?:\.gz)?$/u
const detailKinds = ["points", "players", "bans"] as const

/** 20 teams with 3 players each in 40 games. */
const MOST_LINES = 2_400

const MapFile = Schema.Struct({ aliases: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) })

export const lobbies = defineSource({
  name: "lobbies",
  summary: "lobbies, such as year4champions/raw/AvsB.csv",
  version: 1,
  batchSize: 20,
  takes: (name) => lobbyFile.test(name) && !detailFile.test(name),
  companions: (name, others) => {
    const { above = "", folder = "", lobby = "" } = lobbyFile.exec(name)?.groups ?? {}
    const details = detailKinds.flatMap((kind) =>
      ["", "raw/"].flatMap((place) => ["", ".gz"].map((packed) => `${above}${folder}/${place}${lobby}_${kind}.csv${packed}`)),
    )
    return others.filter(
      (other) =>
        details.includes(other) ||
        other === `${above}maps.json` ||
        (other.startsWith(`${above}tournaments/`) && /^[^/]+\.json$/u.test(other.slice(above.length + "tournaments/".length))),
    )
  },
  read: (file) => Stream.unwrap(Effect.map(readLobby(file), (records) => Stream.fromIterable(records))),
  write: (series) => Effect.flatMap(ApexArchiveWriter, (writer) => writer.writeSeries(series)),
})

/** The series, and a rejection for each line that cannot be read. Games of the series lack rejected lines. */
const readLobby = Effect.fnUntraced(function* (file: ImportFile) {
  const { folder = "", lobby = "" } = lobbyFile.exec(file.name)?.groups ?? {}
  if (lobby === "") return yield* new UnreadableFile({ reason: "a lobby file must be named <tournament>/raw/<lobby>.csv" })
  const rejections: Array<ReadRecord<ApexSeries>> = []
  const tournamentId = tournamentOfFolder(folder)
  const companions = [...file.companions.values()]
  const detail = (kind: string) => companions.find(({ name }) => name.includes(`/${lobby}_${kind}.csv`))
  const readAll = Effect.fnUntraced(function* <A>(
    of: ImportFile | undefined,
    required: ReadonlyArray<string>,
    read: (line: Line) => A | string,
  ) {
    const values: Array<Exclude<A, string>> = []
    for (const [index, row] of (of === undefined ? [] : yield* linesOf(of, required)).entries()) {
      const value = read(row)
      if (typeof value === "string") rejections.push(reject(value, { file: of?.name, line: index + 2, ...row }))
      else values.push(value as Exclude<A, string>)
    }
    return values
  })
  const lines = yield* readAll(
    file,
    lobbyColumns,
    onceOf(readLobbyLine, ({ gameNumber, teamName }) => `${teamName} in game ${gameNumber}`),
  )
  if (lines.length === 0) return rejections.length > 0 ? rejections : yield* new UnreadableFile({ reason: "the file has no lines" })
  const totals = yield* readAll(detail("points"), ["Team", "Overall Points"], readTotal)
  const players = yield* readAll(detail("players"), ["Game", "Team", "PlayerId", "Player"], readPlayerLine)
  const bansFile = detail("bans")
  const bans = yield* readAll(bansFile, ["Game", "Legend"], readBan)
  const teams = new Set(lines.map(({ teamName }) => teamName))
  if (teams.size > 20) return [...rejections, reject(`${teams.size} teams, a lobby has at most 20`, { file: file.name })]
  const series = seriesOfLobby({
    tournamentId,
    lobby,
    tournament: yield* tournamentFile(companions, tournamentId),
    mapAliases: yield* aliasesIn(companions),
    lines,
    totals: new Map(totals.map(({ points, teamName }) => [teamName, points])),
    players,
    bans: bansFile === undefined ? null : bans,
    raw: yield* rawOf([file, ...companions.filter(({ name }) => detailFile.test(name))]),
  })
  return [...rejections, accept(series)]
})

/** Rejects lines that repeat the key of an earlier line. */
const onceOf = <A extends object>(read: (line: Line) => A | string, keyOf: (value: A) => string) => {
  const seen = new Set<string>()
  return (line: Line): A | string => {
    const value = read(line)
    if (typeof value === "string") return value
    const key = keyOf(value)
    if (seen.has(key)) return `the file has another line for ${key}`
    seen.add(key)
    return value
  }
}

const linesOf = Effect.fnUntraced(function* (file: ImportFile, required: ReadonlyArray<string>) {
  const rows = yield* Stream.runCollect(Stream.take(csvRows(bytesOf(file)), MOST_LINES + 1))
  if (rows.length > MOST_LINES) return yield* new UnreadableFile({ reason: `${file.name} has more lines than a lobby can have` })
  const missing = required.find((column) => rows[0] !== undefined && !(column in rows[0]))
  if (missing !== undefined) return yield* new UnreadableFile({ reason: `the header of ${file.name} has no column ${missing}` })
  return rows
})

const tournamentFile = Effect.fnUntraced(function* (companions: ReadonlyArray<ImportFile>, tournamentId: string) {
  for (const file of companions.filter(({ name }) => name.includes("tournaments/"))) {
    const tournament = yield* jsonAs(file, TournamentFile)
    if (tournament.id === tournamentId) return tournament
  }
  return undefined
})

const aliasesIn = Effect.fnUntraced(function* (companions: ReadonlyArray<ImportFile>) {
  const file = companions.find(({ name }) => name.endsWith("maps.json"))
  return file === undefined ? {} : ((yield* jsonAs(file, MapFile)).aliases ?? {})
})

/** Text lines of the files as their source wrote them. */
const rawOf = (files: ReadonlyArray<ImportFile>) =>
  Effect.map(
    Effect.forEach(files, (file) =>
      Effect.map(textOf(file), (text) => ({ file: file.name, lines: text.split(/\r?\n/u).filter((line) => line !== "") })),
    ),
    (read) => ({ files: read }),
  )
