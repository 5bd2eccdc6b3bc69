/** Tables that `CodArchiveWriter` writes. Columns are named like the fields of the row types, in snake case. */
import type {
  Earning,
  MapResult,
  Match,
  Player,
  PlayerMapLine,
  SeasonTeam,
  Team,
  Tournament,
  TournamentResult,
  TournamentTotal,
} from "../rules/archive/rows.ts"
import { emptyLine } from "../rules/archive/rows.ts"

interface Rows {
  readonly cod_teams: Team
  readonly cod_players: Player
  readonly cod_tournaments: Tournament
  readonly cod_season_teams: SeasonTeam
  readonly cod_tournament_results: TournamentResult
  readonly cod_matches: Match
  readonly cod_maps: MapResult
  readonly cod_player_lines: PlayerMapLine
  readonly cod_tournament_totals: TournamentTotal
  readonly cod_earnings: Earning
}
export type ArchiveTable = keyof Rows
export type ArchiveRow<Table extends ArchiveTable> = Rows[Table]

/** Effect of a write on the stored value of a column. */
type Change =
  | "replaced"
  /** The new value replaces the stored one, unless it is null. */
  | "completed"
  | "kept"

interface Table<Field extends string> {
  readonly key: ReadonlyArray<Field>
  readonly columns: Readonly<Record<Field, Change>>
}

const replaced = <Name extends string>(...names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, "replaced"])) as Readonly<Record<Name, Change>>

export const tables: { readonly [Name in ArchiveTable]: Table<keyof Rows[Name] & string> } = {
  cod_teams: {
    key: ["slug"],
    columns: { slug: "kept", name: "kept", shortName: "completed", logoUrl: "completed", simulated: "kept" },
  },
  cod_players: {
    key: ["playerId"],
    columns: { playerId: "kept", ign: "kept", realName: "completed", imageUrl: "completed", simulated: "kept" },
  },
  cod_tournaments: {
    key: ["tournamentId"],
    columns: {
      ...replaced("tournamentId", "season", "name", "isLeague", "simulated"),
      stage: "completed",
      pointsPerWin: "completed",
      prizePool: "completed",
    },
  },
  cod_season_teams: { key: ["season", "teamSlug"], columns: replaced("season", "teamSlug") },
  cod_tournament_results: {
    key: ["tournamentId", "teamSlug"],
    columns: replaced("tournamentId", "teamSlug", "placement", "cdlPoints"),
  },
  cod_matches: {
    key: ["matchId"],
    columns: replaced(
      "matchId",
      "tournamentId",
      "round",
      "status",
      "startsAt",
      "startTimeKnown",
      "startOrder",
      "bestOf",
      "team1Slug",
      "team2Slug",
      "team1Score",
      "team2Score",
      "scoreGap",
      "winnerSlug",
      "isLan",
      "broadcasted",
      "source",
      "simulated",
    ),
  },
  cod_maps: {
    key: ["matchId", "mapNumber"],
    columns: replaced(
      "matchId",
      "mapNumber",
      "mapName",
      "mode",
      "team1Score",
      "team2Score",
      "winnerSlug",
      "played",
      "pickedBy",
      "durationSeconds",
    ),
  },
  cod_player_lines: {
    key: ["matchId", "mapNumber", "playerId"],
    columns: {
      ...replaced("matchId", "mapNumber", "playerId", "teamSlug"),
      ...replaced(...(Object.keys(emptyLine) as ReadonlyArray<keyof typeof emptyLine>)),
    },
  },
  cod_tournament_totals: {
    key: ["tournamentId", "playerId", "mode"],
    columns: replaced("tournamentId", "playerId", "mode", "mapsPlayed", "kills", "deaths", "hillTime", "firstBloods", "captures"),
  },
  cod_earnings: { key: ["tournamentId", "playerId"], columns: replaced("tournamentId", "playerId", "amount", "placement") },
}

/** Column of a field: `hillTime` is `hill_time`. */
const columnName = (field: string): string => field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

export interface TableSql {
  readonly key: string
  readonly columns: string
  /** Stored values in the order of `columns`. The alias of the stored row is `known`. */
  readonly stored: string
  /** Values of the row after the write, in the order of `columns`. */
  readonly merged: string
}

export const tableSql = (table: ArchiveTable): TableSql => {
  const { columns, key }: { readonly columns: Readonly<Record<string, Change>>; readonly key: ReadonlyArray<string> } = tables[table]
  const all = Object.entries(columns).map(([field, change]) => ({ name: columnName(field), change }))
  return {
    key: key.map(columnName).join(", "),
    columns: all.map(({ name }) => name).join(", "),
    stored: all.map(({ name }) => `known.${name}`).join(", "),
    merged: all.map(({ change, name }) => mergedText[change](name)).join(", "),
  }
}

const mergedText: Readonly<Record<Change, (name: string) => string>> = {
  replaced: (name) => `excluded.${name}`,
  completed: (name) => `COALESCE(excluded.${name}, known.${name})`,
  kept: (name) => `known.${name}`,
}

export const rowsJson = <Name extends ArchiveTable>(table: Name, rows: ReadonlyArray<ArchiveRow<Name>>): string => {
  const fields: ReadonlyArray<readonly [string, string]> = Object.keys(tables[table].columns).map((field) => [field, columnName(field)])
  return JSON.stringify(
    rows.map((row) => {
      const values: Readonly<Record<string, unknown>> = { ...row }
      return Object.fromEntries(fields.map(([field, column]) => [column, values[field]]))
    }),
  )
}
