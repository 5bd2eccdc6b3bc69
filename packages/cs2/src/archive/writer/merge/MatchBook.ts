/**
 * Holds the matches that one call of the archive writer processes: for each, the stored state and a draft (the new
 * state in memory) into which reports from several sources are merged.
 */
import type { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { Effect, Schema } from "effect"
import type { ArchivedMatch } from "../../../rules/archive/ArchivedMatch.ts"
import { type ReportedMatch, type SourceKey, sameMatch } from "../../../rules/archive/identity.ts"
import { bigints, type Row, rowsOf } from "../bulk.ts"
import { GameRow, isoTime, LineupRow, SeriesRow } from "../rows.ts"

export interface MatchDraft {
  readonly number: number
  series: SeriesRow
  readonly before: SeriesRow | undefined
  /** Keyed by player number. */
  readonly lineup: Map<number, LineupRow>
  readonly lineupBefore: ReadonlyMap<number, LineupRow>
  /** Keyed by map number. */
  readonly games: Map<number, GameDraft>
  readonly keys: Array<SourceKey>
  readonly newKeys: Array<SourceKey>
}

export interface GameDraft {
  row: GameRow
  readonly before: GameRow | undefined
  /** New rows that replace the stored ones, or undefined if those stay. */
  lines: { readonly lines: ReadonlyArray<Row>; readonly weapons: ReadonlyArray<Row> } | undefined
  timeline: { readonly rounds: ReadonlyArray<Row>; readonly events: ReadonlyArray<Row> } | undefined
}

const seriesRows = rowsOf(SeriesRow)
const gameRows = rowsOf(GameRow)
const lineupRows = rowsOf(LineupRow)
const keyRows = rowsOf(Schema.Struct({ entity_number: Schema.Finite, source: Schema.String, source_key: Schema.String }))
const numberRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ n: Counter })))

/** Numbers of reported matches that may be stored, by the source's key or the archive's own number in the report. */
export const numbersOfKeys = Effect.fnUntraced(function* (sql: PgClient.PgClient, reports: ReadonlyArray<ArchivedMatch>) {
  const rows = yield* sql`
    SELECT k.entity_number AS n FROM jsonb_to_recordset(${sql.json(reports.map(({ key, source }) => ({ source, key })))}) AS w (source text, key text)
    JOIN cs2_source_keys k ON k.entity_type = 'match' AND k.source = w.source AND k.source_key = w.key`.pipe(Effect.flatMap(numberRows))
  return [...rows.map(({ n }) => n), ...reports.flatMap(({ matchNumber }) => (matchNumber === undefined ? [] : [matchNumber]))]
})

export interface PairAt {
  readonly a: number
  readonly b: number
  readonly startsAt: number
}

/**
 * Stored matches between the same two teams that start within two days of a reported one. Deliberately wider than the
 * rule that later decides whether two matches are the same, both for times known to the minute and to the day.
 */
export const numbersOfPairs = Effect.fnUntraced(function* (sql: PgClient.PgClient, pairs: ReadonlyArray<PairAt>) {
  if (pairs.length === 0) return []
  const both = pairs.flatMap(({ a, b, startsAt }) => {
    const at = isoTime(startsAt)
    return [
      { a, b, at },
      { a: b, b: a, at },
    ]
  })
  const rows = yield* sql`
    SELECT DISTINCT s.match_number AS n FROM jsonb_to_recordset(${sql.json(both)}) AS w (a bigint, b bigint, at timestamptz)
    JOIN cs2_series s ON s.team1_number = w.a AND s.team2_number = w.b
      AND s.starts_at BETWEEN w.at - interval '2 days' AND w.at + interval '2 days'`.pipe(Effect.flatMap(numberRows))
  return rows.map(({ n }) => n)
})

export class MatchBook {
  readonly drafts = new Map<number, MatchDraft>()
  private readonly keys = new Map<string, MatchDraft>()
  private readonly pairs = new Map<string, Array<MatchDraft>>()

  add(draft: MatchDraft): MatchDraft {
    this.drafts.set(draft.number, draft)
    for (const key of draft.keys) this.keys.set(keyText(key), draft)
    const pair = pairText(draft.series.team1_number, draft.series.team2_number)
    this.pairs.set(pair, [...(this.pairs.get(pair) ?? []), draft])
    return draft
  }

  addKey(draft: MatchDraft, key: SourceKey): void {
    if (this.keys.has(keyText(key))) return
    this.keys.set(keyText(key), draft)
    draft.keys.push(key)
    draft.newKeys.push(key)
  }

  /** Finds a draft by the source's own key or, if that is new, by the match number in the report. */
  find(match: ArchivedMatch): MatchDraft | undefined {
    return this.keys.get(keyText(match)) ?? (match.matchNumber === undefined ? undefined : this.drafts.get(match.matchNumber))
  }

  /** A match that another source reported, by teams (numbers in the order of the new report), start time and result. */
  same(match: ArchivedMatch, teams: readonly [number, number]): MatchDraft | undefined {
    if (match.matchNumber !== undefined) return undefined
    const candidates = (this.pairs.get(pairText(...teams)) ?? []).map((draft) => candidateOf(draft, teams[0]))
    const { score, startsAt, startsPrecision, winner } = match
    return sameMatch({ keys: [match], startsAt, startsPrecision, score, winner }, candidates)?.draft
  }
}

const candidateOf = (draft: MatchDraft, first: number): ReportedMatch & { readonly draft: MatchDraft } => {
  const { starts_at, starts_precision, team1_number, team1_score, team2_score, winner_team_number } = draft.series
  const [score1, score2] = team1_number === first ? [team1_score, team2_score] : [team2_score, team1_score]
  return {
    draft,
    keys: draft.keys,
    startsAt: starts_at,
    startsPrecision: starts_precision,
    score: score1 === null || score2 === null ? undefined : [score1, score2],
    winner: winner_team_number === null ? undefined : winner_team_number === first ? 0 : 1,
  }
}

const keyText = ({ key, source }: SourceKey): string => `${source}\n${key}`
const pairText = (a: number, b: number): string => (a < b ? `${a}:${b}` : `${b}:${a}`)

export const loadMatches = Effect.fnUntraced(function* (sql: PgClient.PgClient, book: MatchBook, wanted: ReadonlyArray<number>) {
  const numbers = [...new Set(wanted)].filter((number) => !book.drafts.has(number))
  if (numbers.length === 0) return
  const of = sql`match_number = ANY(${bigints(numbers)}::bigint[])`
  const series = yield* seriesRows(sql`SELECT to_jsonb(s) AS row FROM cs2_series s WHERE ${of}`)
  const games = Map.groupBy(yield* gameRows(sql`SELECT to_jsonb(g) AS row FROM cs2_games g WHERE ${of}`), (row) => row.match_number)
  const lineups = Map.groupBy(yield* lineupRows(sql`SELECT to_jsonb(l) AS row FROM cs2_lineups l WHERE ${of}`), (row) => row.match_number)
  const keys = Map.groupBy(
    yield* keyRows(sql`
      SELECT to_jsonb(k) AS row FROM cs2_source_keys k WHERE entity_type = 'match' AND entity_number = ANY(${bigints(numbers)}::bigint[])`),
    (row) => row.entity_number,
  )
  for (const row of series) {
    const number = row.match_number
    const lineup = (lineups.get(number) ?? []).map((member) => [member.player_number, member] as const)
    const drafts = (games.get(number) ?? []).map(
      (game) => [game.map_number, { row: game, before: game, lines: undefined, timeline: undefined }] as const,
    )
    book.add({
      number,
      series: row,
      before: row,
      lineup: new Map(lineup),
      lineupBefore: new Map(lineup),
      games: new Map<number, GameDraft>(drafts),
      keys: (keys.get(number) ?? []).map(({ source, source_key }) => ({ source, key: source_key })),
      newKeys: [],
    })
  }
})
