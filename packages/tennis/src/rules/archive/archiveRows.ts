/**
 * Reads the lines of archive files: matches, players and rankings. Columns are found by the names in the header. The
 * identity of each row is defined here, so that the same match has the same id in every import.
 */
import { computedColumns, doublesColumns, singlesColumns } from "./columns.ts"
import { type Cell, cellsOf, cellValue, dateOf, integerOf } from "./readLine.ts"
import { parseScore } from "./score.ts"
import { bestOfIn } from "./teamCups.ts"

export type Tour = "atp" | "wta"
export type Circuit = "tour" | "qual_chall" | "qual_itf" | "futures" | "amateur" | "doubles"

/** `id` is unique in the table. A text instead of a row is the reason for its rejection. */
export interface ArchiveRow {
  readonly id: string
  readonly cells: ReadonlyArray<Cell>
}
export type RowReader = (line: string) => ArchiveRow | string

/**
 * Reader for the lines of a match file, or the name of a column that is missing in the header. The files state the day
 * on which the tournament started. If the lines have the days of the matches, `daySource` names their source.
 */
export const matchReader = (header: string, tour: Tour, circuit: Circuit, daySource: string | null = null): RowReader | string => {
  const names = namesIn(header)
  const fileColumns = circuit === "doubles" ? doublesColumns : singlesColumns
  const players = fileColumns.filter(({ kind }) => kind === "player").map(({ from }) => from)
  const required = ["tourney_id", "tourney_date", "match_num", "round", "score", ...players]
  const missing = required.find((name) => !names.has(name))
  if (missing !== undefined) return missing
  const at = (name: string) => names.get(name) ?? -1
  const [tournamentAt, dateAt, numberAt, roundAt, scoreAt] = ["tourney_id", "tourney_date", "match_num", "round", "score"].map(at) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const playersAt = players.map(at)
  const shortest = Math.max(...required.map(at)) + 1
  const columns = fileColumns.map(({ from, kind }) => ({ at: at(from), kind }))
  const [bestOfAt, levelAt, nameAt] = ["best_of", "tourney_level", "tourney_name"].map(at) as [number, number, number]
  const bestOfPlace = computedColumns.length + fileColumns.findIndex(({ name }) => name === "best_of")

  return (line) => {
    const cells = cellsOf(line)
    const wrong = wrongLength(cells, shortest, names.size)
    if (wrong !== undefined) return wrong
    const tournament = cells[tournamentAt]?.trim() ?? ""
    if (tournament === "") return "tourney_id is empty"
    const date = dateOf(cells[dateAt] ?? "")
    if (date === null) return `tourney_date is not a date: ${cells[dateAt]}`
    const strange = playersAt.find((index) => integerOf(cells[index] ?? "") === null)
    if (strange !== undefined) return `${players[playersAt.indexOf(strange)]} is not a number: ${cells[strange]}`
    const raw = cells[scoreAt] ?? ""
    const number = integerOf(cells[numberAt] ?? "")
    if (tour === "atp" && number === null) return `match_num is not a number: ${cells[numberAt]}`
    const key =
      tour === "wta"
        ? `${playersAt.map((index) => cells[index]).join("-")}-${idText(cells[roundAt] ?? "")}-${idText(raw.trim())}`
        : keyOf(circuit, cells[roundAt], number)
    const id = `${tour}-${circuit}-${idText(tournament)}-${key}`
    const event = { tour, level: cells[levelAt]?.trim() ?? "", name: cells[nameAt] ?? "" }
    const bestOf = bestOfIn(event, integerOf(cells[bestOfAt] ?? ""))
    const { ending, problem, sets } = parseScore(raw, { bestOf, year: Number(date.slice(0, 4)) })
    const values: Array<Cell> = [
      id,
      tour,
      circuit,
      date,
      daySource === null,
      daySource,
      raw,
      ending,
      problem,
      sets.map(({ winner }) => winner),
      sets.map(({ loser }) => loser),
      sets.map(({ tiebreak }) => tiebreak),
    ]
    for (const { at: index, kind } of columns) values.push(index === -1 ? null : cellValue(cells[index] ?? "", kind, tour))
    values[bestOfPlace] = bestOf
    return { id, cells: values }
  }
}

/** Reader for the lines of a player file, or the name of a missing column. */
export const playerReader = (header: string, tour: Tour): RowReader | string => {
  const names = namesIn(header)
  if (!names.has("player_id")) return "player_id"
  return (line) => {
    const cells = cellsOf(line)
    const cell = (name: string) => cells[names.get(name) ?? -1] ?? ""
    const number = integerOf(cell("player_id"))
    if (number === null) return `player_id is not a number: ${cell("player_id")}`
    const id = `${tour}_${number}`
    const text = (name: string) => cellValue(cell(name), "text", tour)
    const height = cellValue(cell("height"), "height", tour)
    return {
      id,
      cells: [id, tour, text("name_first"), text("name_last"), text("hand"), dateOf(cell("dob")), text("ioc"), height, text("wikidata_id")],
    }
  }
}

/** Reader for the lines of a ranking file, or the name of a missing column. Files use one of two headers. */
export const rankingReader = (header: string, tour: Tour): RowReader | string => {
  const names = namesIn(header)
  const at = (...either: ReadonlyArray<string>) => either.map((name) => names.get(name)).find((index) => index !== undefined) ?? -1
  const [dateAt, rankAt, playerAt] = [at("ranking_date"), at("rank", "ranking"), at("player", "player_id")]
  if (dateAt === -1) return "ranking_date"
  if (rankAt === -1) return "rank"
  if (playerAt === -1) return "player"
  const [pointsAt, toursAt] = [at("points", "ranking_points"), at("tours")]
  return (line) => {
    const cells = cellsOf(line)
    const date = dateOf(cells[dateAt] ?? "")
    if (date === null) return `ranking_date is not a date: ${cells[dateAt]}`
    const rank = integerOf(cells[rankAt] ?? "")
    if (rank === null) return `rank is not a number: ${cells[rankAt]}`
    const player = integerOf(cells[playerAt] ?? "")
    if (player === null) return `player is not a number: ${cells[playerAt]}`
    const id = `${tour}_${player}`
    return { id: `${id} ${date}`, cells: [id, date, tour, rank, integerOf(cells[pointsAt] ?? ""), integerOf(cells[toursAt] ?? "")] }
  }
}

/**
 * Identifies an ATP match within its tournament. In the files of doubles, the numbers of qualifying matches and of
 * matches of the main draw overlap, so the round is part of the key. WTA files repeat matches under other numbers, so
 * there the content identifies a match.
 */
const keyOf = (circuit: Circuit, round: string | undefined, number: number | null): string =>
  circuit === "doubles" ? `${idText(round ?? "")}-${number}` : String(number)

/**
 * Part of a match id, which is a segment of a URL. Letters, digits and hyphens stay, a space becomes `_`, brackets
 * become dots, and any other character becomes `~` and its code, so different texts stay different.
 */
const idText = (text: string): string =>
  text.replace(/[^A-Za-z0-9-]/gu, (character) => {
    if (character === " ") return "_"
    return character === "(" || character === ")" ? "." : `~${character.codePointAt(0)?.toString(16)}`
  })

const namesIn = (header: string): ReadonlyMap<string, number> =>
  new Map(cellsOf(header.replace(/^\uFEFF/u, "")).map((name, index) => [name.trim(), index]))

/** Some files omit empty cells at the end of a line, and others have additional empty ones. */
const wrongLength = (cells: ReadonlyArray<string>, shortest: number, longest: number): string | undefined => {
  if (cells.length < shortest) return `${cells.length} cells, expected ${longest}`
  for (let index = longest; index < cells.length; index += 1) if (cells[index] !== "") return `${cells.length} cells, expected ${longest}`
  return undefined
}
