// Owns the values that requests are made of: ids, names and days that exist in the measured database, the same for the
// same seed. `hot`: the most requested. `cold`: any.
import pg from "pg"

export interface Sample {
  readonly hot: ReadonlyArray<string>
  readonly cold: ReadonlyArray<string>
}

/** Some matches, without reading the whole table. `$1`: percent of the table's pages. `$2`: the seed. */
const someMatches = "tennis_matches TABLESAMPLE SYSTEM ($1::real) REPEATABLE ($2::integer)"

const bestPlayers = `
  SELECT player_id, tour, rank FROM tennis_rankings r
  WHERE rank <= 50 AND ranking_date = (SELECT max(ranking_date) FROM tennis_rankings l WHERE l.tour = r.tour)`

const newestYears = "SELECT max(extract(year FROM match_date))::integer - 1 FROM tennis_matches"

/** Per sample, statements with one column `it`. Every statement may use `$1` and `$2`. */
const sources = {
  player: {
    hot: `SELECT player_id AS it FROM (${bestPlayers}) b ORDER BY rank, tour`,
    cold: `SELECT it FROM (SELECT winner_id AS it FROM ${someMatches} UNION SELECT loser_id FROM ${someMatches}) p ORDER BY md5(it)`,
  },
  /** Two players of the same tour, separated by a space. */
  pair: {
    hot: `SELECT a.player_id || ' ' || b.player_id AS it FROM (${bestPlayers}) a JOIN (${bestPlayers}) b USING (tour)
      WHERE a.rank < b.rank ORDER BY a.rank + b.rank, 1 LIMIT 100`,
    cold: `SELECT winner_id || ' ' || loser_id AS it FROM ${someMatches} ORDER BY md5(match_id)`,
  },
  match: {
    hot: `SELECT match_id AS it FROM tennis_matches WHERE tour = 'atp' ORDER BY match_date DESC, 1 LIMIT 100`,
    cold: `SELECT match_id AS it FROM ${someMatches} ORDER BY md5(match_id)`,
  },
  /** A tournament in one year. */
  edition: {
    hot: `SELECT DISTINCT tour || '_' || tournament_id AS it FROM tennis_matches
      WHERE tour IN ('atp', 'wta') AND match_date >= make_date((${newestYears}), 1, 1) AND level IN ('G', 'M', 'PM') ORDER BY 1`,
    cold: `SELECT DISTINCT tour || '_' || tournament_id AS it FROM ${someMatches} ORDER BY 1`,
  },
  /** A competition with a year in which it took place, separated by a space. */
  competition: {
    hot: `SELECT competition_id || ' ' || year AS it FROM tennis_tournaments WHERE level IN ('G', 'M', 'PM') ORDER BY starts_on DESC, id LIMIT 200`,
    cold: `SELECT competition_id || ' ' || year AS it FROM tennis_tournaments WHERE 'tour' = ANY(circuits) ORDER BY md5(id || $2::integer)`,
  },
  lastName: {
    hot: `SELECT p.last_name AS it FROM (${bestPlayers}) b JOIN tennis_players p USING (player_id) WHERE p.last_name IS NOT NULL ORDER BY b.rank, 1`,
    cold: `SELECT DISTINCT split_part(winner_name, ' ', 2) AS it FROM ${someMatches}
      WHERE length(split_part(winner_name, ' ', 2)) >= 3 ORDER BY 1`,
  },
  tournamentName: {
    hot: `SELECT DISTINCT split_part(tournament_name, ' ', 1) AS it FROM ${someMatches}
      WHERE circuit = 'tour' AND length(split_part(tournament_name, ' ', 1)) > 3 ORDER BY 1`,
    cold: `SELECT DISTINCT tournament_name AS it FROM ${someMatches} WHERE tournament_name IS NOT NULL ORDER BY 1`,
  },
  /** A day with matches. */
  day: {
    hot: `SELECT DISTINCT match_date::text AS it FROM tennis_matches
      WHERE tour IN ('atp', 'wta') AND match_date >= make_date((${newestYears}), 6, 1) ORDER BY 1 DESC LIMIT 60`,
    cold: `SELECT DISTINCT match_date::text AS it FROM ${someMatches} ORDER BY 1`,
  },
  /** A tour and a Monday with a ranking list, separated by a space. */
  rankingDay: {
    hot: `SELECT it FROM (SELECT DISTINCT tour || ' ' || ranking_date AS it FROM tennis_rankings WHERE player_id IN
      (SELECT player_id FROM (${bestPlayers}) b)) d ORDER BY right(it, 10) DESC LIMIT 40`,
    cold: `SELECT DISTINCT tour || ' ' || ranking_date AS it FROM tennis_rankings WHERE player_id IN
      (SELECT player_id FROM (${bestPlayers}) b WHERE rank <= 10) ORDER BY 1`,
  },
  /** A tour and a year, separated by a space. */
  season: {
    hot: `SELECT DISTINCT tour || ' ' || extract(year FROM match_date) AS it FROM ${someMatches} WHERE circuit = 'tour' AND match_date >= '2015-01-01' ORDER BY 1`,
    cold: `SELECT DISTINCT tour || ' ' || extract(year FROM match_date) AS it FROM ${someMatches} WHERE circuit = 'tour' ORDER BY 1`,
  },
} as const

export type SampleName = keyof typeof sources
export type Samples = Readonly<Record<SampleName, Sample>>

const AT_MOST = 600

/** About this many matches are sampled. */
const SAMPLED = 4_000

export const takeSamples = async (url: string, seed: number): Promise<Samples> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const { rows: counted } = await client.query(
      `SELECT greatest(reltuples, 1) AS rows FROM pg_class WHERE oid = 'tennis_matches'::regclass`,
    )
    const percent = Math.min(100, (100 * SAMPLED) / Number(counted[0]?.rows))
    const take = async (statement: string) => {
      // A statement without sampling has the parameters too, so that all are called alike.
      const { rows } = await client.query(`SELECT it FROM (${statement}) AS s WHERE $1::real > 0 AND $2::integer >= 0 LIMIT ${AT_MOST}`, [
        percent,
        seed,
      ])
      return rows.map(({ it }) => String(it))
    }
    const taken: Array<readonly [string, Sample]> = []
    for (const [name, { cold, hot }] of Object.entries(sources)) taken.push([name, { hot: await take(hot), cold: await take(cold) }])
    return Object.fromEntries(taken) as Samples
  } finally {
    await client.end()
  }
}
