/** Columns of archived matches, in the order of the database: name, column of the file, and how its text is read. */

/**
 * Numbers have no sign; `height` is in centimetres or, below 3, in metres. Other text is null in an optional column.
 */
export type ColumnKind = "text" | "integer" | "decimal" | "height" | "player"

export interface FileColumn {
  readonly name: string
  readonly from: string
  readonly kind: ColumnKind
}

const columns = (kind: ColumnKind, names: ReadonlyArray<string>): ReadonlyArray<FileColumn> =>
  names.map((name) => ({ name, from: name, kind }))

const serve = (side: "winner" | "loser"): ReadonlyArray<FileColumn> => {
  const prefix = side === "winner" ? "w" : "l"
  return [
    ["aces", "ace"],
    ["double_faults", "df"],
    ["serve_points", "svpt"],
    ["first_in", "1stIn"],
    ["first_won", "1stWon"],
    ["second_won", "2ndWon"],
    ["serve_games", "SvGms"],
    ["break_points_saved", "bpSaved"],
    ["break_points_faced", "bpFaced"],
  ].map(([name, from]) => ({ name: `${side}_${name}`, from: `${prefix}_${from}`, kind: "integer" }))
}

const person = (who: string): ReadonlyArray<FileColumn> => [
  { name: `${who}_id`, from: `${who}_id`, kind: "player" },
  ...columns("text", [`${who}_name`, `${who}_hand`]),
  { name: `${who}_height_cm`, from: `${who}_ht`, kind: "height" },
  { name: `${who}_country`, from: `${who}_ioc`, kind: "text" },
  ...columns("decimal", [`${who}_age`]),
  ...columns("integer", [`${who}_rank`, `${who}_rank_points`]),
]

const sides = (people: (side: "winner" | "loser") => ReadonlyArray<FileColumn>): ReadonlyArray<FileColumn> =>
  (["winner", "loser"] as const).flatMap((side) => [...people(side), ...columns("text", [`${side}_seed`, `${side}_entry`]), ...serve(side)])

const event: ReadonlyArray<FileColumn> = [
  { name: "tournament_id", from: "tourney_id", kind: "text" },
  { name: "tournament_name", from: "tourney_name", kind: "text" },
  { name: "surface", from: "surface", kind: "text" },
  { name: "draw_size", from: "draw_size", kind: "integer" },
  { name: "level", from: "tourney_level", kind: "text" },
  { name: "match_number", from: "match_num", kind: "integer" },
  { name: "round", from: "round", kind: "text" },
  { name: "best_of", from: "best_of", kind: "integer" },
  { name: "minutes", from: "minutes", kind: "integer" },
]

export const singlesColumns: ReadonlyArray<FileColumn> = [...event, ...sides(person)]

export const doublesColumns: ReadonlyArray<FileColumn> = [...event, ...sides((side) => [...person(`${side}1`), ...person(`${side}2`)])]

/** Columns that are computed. They precede the file columns in the database. */
export const computedColumns = [
  "match_id",
  "tour",
  "circuit",
  "match_date",
  "date_is_tournament_start",
  "date_source",
  "score",
  "ending",
  "score_problem",
  "winner_games",
  "loser_games",
  "tiebreak_points",
] as const
