/** Joins the tables of `codstats` to one record per match. Rows that cannot be read are rejected on their own. */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Result } from "effect"
import { combineRows, franchiseRows } from "../../../rules/archive/combineRows.ts"
import { modeOf } from "../../../rules/archive/modes.ts"
import { type ArchiveRows, emptyLine, type MapResult, type PlayerMapLine } from "../../../rules/archive/rows.ts"
import { seasonOf } from "../../../rules/archive/season.ts"
import { seriesScore } from "../../../rules/archive/seriesScore.ts"
import { tournamentNamed } from "../../../rules/archive/tournaments.ts"
import { countIn, countOrNullIn, dayIn, textIn } from "../fields.ts"
import { midnight, playerRow, teamRow } from "../named.ts"
import { recordOf } from "../records.ts"

export const tableNames = ["Games", "Maps", "Matches", "MatchesGames", "Modes", "Players", "PlayersGames", "Teams"] as const
export type CodstatsTables = Readonly<Record<(typeof tableNames)[number], ReadonlyArray<CsvRow>>>

/** The source has no tournaments, and its matches are those of the league, so that they count in the standings. */
const unnamedTournament = (season: number): string => `Call of Duty League ${season}, event not stated`

export const codstatsRecords = (tables: CodstatsTables): ReadonlyArray<ReadRecord<ArchiveRows>> => {
  const names = (table: "Maps" | "Modes" | "Players" | "Teams") => new Map(tables[table].map((row) => [row["ID"] ?? "", row["Name"] ?? ""]))
  const [maps, modes, players, teams] = [names("Maps"), names("Modes"), names("Players"), names("Teams")]
  const games = new Map(tables.Games.map((row) => [row["ID"] ?? "", row]))
  const gamesOf = Map.groupBy(tables.MatchesGames, (row) => row["Match"] ?? "")
  const linesOf = Map.groupBy(tables.PlayersGames, (row) => row["Game"] ?? "")

  const named = (known: ReadonlyMap<string, string>, row: CsvRow, column: string) =>
    Result.flatMap(textIn(row, column), (id) => {
      const name = known.get(id)
      return name === undefined ? Result.fail(`${column} ${id} is in no table`) : Result.succeed(name)
    })

  const readLine = (row: CsvRow, matchId: string, mapNumber: number) =>
    Result.gen(function* () {
      const player = yield* playerRow(yield* named(players, row, "Player"))
      const team = yield* teamRow(yield* named(teams, row, "Team"))
      const line: PlayerMapLine = {
        ...emptyLine,
        ...{ matchId, mapNumber, playerId: player.playerId, teamSlug: team.slug },
        kills: yield* countOrNullIn(row, "Kills"),
        deaths: yield* countOrNullIn(row, "Deaths"),
        damage: yield* countOrNullIn(row, "Damage"),
      }
      return { player, line }
    })

  const readMap = (row: CsvRow, matchId: string, slugs: readonly [string, string]) =>
    Result.gen(function* () {
      const game = games.get(yield* textIn(row, "Game"))
      if (game === undefined) return yield* Result.fail(`Game ${row["Game"]} is in no table`)
      const mode = modeOf(yield* named(modes, game, "Mode"))
      if (mode === undefined) return yield* Result.fail(`the mode is unknown: ${modes.get(game["Mode"] ?? "")}`)
      const [team1Score, team2Score] = [yield* countIn(game, "Team1Score"), yield* countIn(game, "Team2Score")]
      const map: MapResult = {
        matchId,
        mapNumber: (yield* countIn(row, "GameIndex")) + 1,
        mapName: mapName(yield* named(maps, game, "Map")),
        mode,
        team1Score,
        team2Score,
        winnerSlug: team1Score === team2Score ? null : team1Score > team2Score ? slugs[0] : slugs[1],
        played: true,
        pickedBy: null,
        durationSeconds: null,
      }
      return map
    })

  const readMatch = (row: CsvRow, rejected: Array<ReadRecord<never>>) =>
    Result.gen(function* () {
      const matchId = String(yield* countIn(row, "ID"))
      const day = yield* dayIn(row, "Date")
      const [team1, team2] = [yield* teamRow(yield* named(teams, row, "Team1")), yield* teamRow(yield* named(teams, row, "Team2"))]
      const slugs = [team1.slug, team2.slug] as const
      const found = (gamesOf.get(row["ID"] ?? "") ?? []).map((game) => ({ game, map: readMap(game, matchId, slugs) }))
      const broken = found.find(({ map }) => Result.isFailure(map))
      if (broken !== undefined) yield* broken.map
      const results = found.flatMap(({ game, map }) => (Result.isSuccess(map) ? [{ map: map.success, id: game["Game"] ?? "" }] : []))
      const lines = results.flatMap(({ id, map }) =>
        (linesOf.get(id) ?? []).flatMap((line) => {
          const read = readLine(line, matchId, map.mapNumber)
          if (Result.isSuccess(read)) return [read.success]
          rejected.push(reject(read.failure, line))
          return []
        }),
      )
      const season = seasonOf(day)
      const tournament = tournamentNamed(season, unnamedTournament(season))
      return combineRows([
        franchiseRows(season),
        {
          teams: [team1, team2],
          players: lines.map(({ player }) => player),
          tournaments: [tournament],
          matches: [
            {
              match: {
                matchId,
                tournamentId: tournament.tournamentId,
                round: null,
                status: "completed",
                startsAt: midnight(day),
                startTimeKnown: false,
                startOrder: yield* countIn(row, "IndexInDate"),
                team1Slug: team1.slug,
                team2Slug: team2.slug,
                // The source does not state the format.
                ...seriesScore(
                  results.map(({ map }) => map),
                  null,
                  slugs,
                ),
                isLan: null,
                broadcasted: null,
                source: "codstats",
                simulated: false,
              },
              maps: results.map(({ map }) => map),
              lines: lines.map(({ line }) => line),
            },
          ],
        },
      ])
    })

  return tables.Matches.flatMap((row) => {
    const rejected: Array<ReadRecord<never>> = []
    const match = recordOf(readMatch(row, rejected), row)
    return [...rejected, match]
  })
}

/** Name as the league writes it: `Al-Bagra-Fortress` is `Al Bagra Fortress`. */
const mapName = (name: string): string => name.replaceAll("-", " ").trim()
