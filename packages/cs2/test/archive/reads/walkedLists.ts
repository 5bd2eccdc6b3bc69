/**
 * The lists with cursors, each with statements that insert a row at a place and move it to another. Places count from
 * the top of the list. Each row contains the text `walk-<n>`, which identifies it.
 */
import { PgClient } from "@effect/sql-pg"
import type { ForeignCursor, Listed, PageWindow } from "@matchpoint/store/paging/listReader"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect } from "effect"
import { Changelog } from "../../../src/archive/Changelog.ts"
import { EventArchive } from "../../../src/archive/events/EventArchive.ts"
import { Leagues } from "../../../src/archive/events/Leagues.ts"
import { GameArchive } from "../../../src/archive/matches/GameArchive.ts"
import { MatchArchive } from "../../../src/archive/matches/MatchArchive.ts"
import { OddsBook } from "../../../src/archive/odds/OddsBook.ts"
import { PlayerArchive } from "../../../src/archive/players/PlayerArchive.ts"
import { Rosters } from "../../../src/archive/rosters/Rosters.ts"
import { Transfers } from "../../../src/archive/rosters/Transfers.ts"
import { SkinMarket } from "../../../src/archive/skins/SkinMarket.ts"
import { TeamArchive } from "../../../src/archive/teams/TeamArchive.ts"

type Read = Effect.Effect<Listed<unknown>, StoreError | ForeignCursor>

export interface WalkedList {
  readonly read: (window: PageWindow) => Read
  /** Returns the statements that insert a row, together with rows it depends on, in order. */
  readonly put: (row: number) => ReadonlyArray<string>
  readonly move: (row: number, place: number) => string
  /** Returns the number of an inserted row, or undefined for other rows. */
  readonly rowOf?: (row: unknown) => number | undefined
}

const after = (hours: number) => `timestamptz '2020-01-01Z' + interval '${hours} hours'`
const before = (hours: number) => `timestamptz '2030-01-01Z' - interval '${hours} hours'`

const series = (row: number, base: number, status: string, at: string, event = "NULL") => `
  INSERT INTO cs2_series (match_number, event_number, stage_name, status, starts_at, team1_number, team2_number, source)
  VALUES (${base + row}, ${event}, 'walk-${row}', '${status}', ${at}, 1, 2, 'walk')`
const moveSeries = (base: number, at: (hours: number) => string) => (row: number, place: number) =>
  `UPDATE cs2_series SET starts_at = ${at(place)} WHERE match_number = ${base + row}`

const event = (row: number, base: number, starts: string, ends: string, region: string) => `
  INSERT INTO cs2_events (event_number, name, name_key, slug, starts_at, ends_at, region, source)
  VALUES (${base + row}, 'walk-${row}', '${base + row}', '${base + row}', ${starts}, ${ends}, '${region}', 'walk')`
const moveEvent = (base: number, column: string, at: (hours: number) => string) => (row: number, place: number) =>
  `UPDATE cs2_events SET ${column} = ${at(place)} WHERE event_number = ${base + row}`

const team = (row: number, base: number, ranking: string, country: string, name = `walk-${row}`) => `
  INSERT INTO cs2_teams (team_number, name, name_key, slug, world_ranking, country_code, source)
  VALUES (${base + row}, '${name}', '${base + row}', '${base + row}', ${ranking}, '${country}', 'walk')`

const player = (row: number, base: number, maps: number, rating: string, country: string, name = `walk-${row}`) => `
  INSERT INTO cs2_players (player_number, nickname, nickname_key, slug, maps_played, career_rating, country_code, source)
  VALUES (${base + row}, '${name}', '${base + row}', '${base + row}', ${maps}, ${rating}, '${country}', 'walk')`

const transfer = (row: number, key: string, of: number, at: string) => `
  INSERT INTO cs2_transfers (transfer_key, player_number, to_team_number, status, transferred_at, detected_at, computed)
  VALUES ('${key}walk-${row}', ${of}, 1, 'joined', ${at}, now(), true)`

const skin = (row: number, weapon: string, name: string, words: string) => `
  INSERT INTO cs2_skins (market_name, slug, words, weapon, source) VALUES ('${name}', '${weapon}-${row}', '${words}', '${weapon}', 'walk')`

const sorted = (prefix: string, place: number) => `${prefix}${String(place).padStart(3, "0")}`

/** Inserts rows that the listed rows refer to. */
export const standing = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  for (const statement of [
    team(1, 0, "NULL", "ZZ", "one"),
    team(2, 0, "NULL", "ZZ", "two"),
    ...[1, 2, 3, 4].map((n) => player(n, 0, 0, "NULL", "ZZ", `p${n}`)),
    event(1, 0, after(0), after(1), "none").replaceAll("walk-1", "cup"),
    series(1, 0, "completed", before(9_000)).replaceAll("walk-1", "one"),
    "INSERT INTO cs2_games (match_number, map_number, map_id, status, played_at, source) VALUES (1, 1, 'de_mirage', 'completed', now(), 'walk')",
    "INSERT INTO cs2_odds_markets (source, source_key, kind, title, team1_name, team2_name, state) VALUES ('walk', 'line', 'series_winner', 'line', 'a', 'b', 'open')",
    skin(0, "none", "one", "one"),
  ])
    yield* sql.unsafe(statement)
})

const page = { limit: 1, offset: 0 }

export const walkedLists = Effect.gen(function* () {
  const changelog = yield* Changelog
  const events = yield* EventArchive
  const games = yield* GameArchive
  const leagues = yield* Leagues
  const matches = yield* MatchArchive
  const odds = yield* OddsBook
  const players = yield* PlayerArchive
  const rosters = yield* Rosters
  const skins = yield* SkinMarket
  const teams = yield* TeamArchive
  const transfers = yield* Transfers
  const all = { computed: true, undated: false, oldestFirst: false }
  const market = (yield* odds.markets({ ...page, kind: "series_winner" })).rows[0]
  const marketNumber = Number(market?.id.slice("cs2-odds-".length))
  const plain = (yield* skins.list({ ...page, weapon: "none" })).rows[0]?.id ?? ""
  const there = <A>(found: A | undefined): A => {
    if (found === undefined) throw new Error("what the list hangs on is not there")
    return found
  }

  const lists: Readonly<Record<string, WalkedList>> = {
    matches: {
      read: (window) => matches.list({ ...window, status: "completed" }),
      put: (row) => [series(row, 1_000, "completed", before(row))],
      move: moveSeries(1_000, before),
    },
    "matches to come": {
      read: matches.upcoming,
      put: (row) => [series(row, 2_000, "upcoming", after(row))],
      move: moveSeries(2_000, after),
    },
    "matches of an event": {
      read: (window) => events.matches("cs2-event-1", window),
      put: (row) => [series(row, 3_000, "cancelled", after(row), "1")],
      move: moveSeries(3_000, after),
    },
    "events, soonest first": {
      read: (window) => events.list({ ...window, region: "a", order: "soonest" }),
      put: (row) => [event(row, 1_000, after(row), after(100), "a")],
      move: moveEvent(1_000, "starts_at", after),
    },
    "events, the next to end first": {
      read: (window) => events.list({ ...window, region: "b", order: "endsSoonest" }),
      put: (row) => [event(row, 2_000, after(0), after(row), "b")],
      move: moveEvent(2_000, "ends_at", after),
    },
    "events, the last to end first": {
      read: (window) => events.list({ ...window, region: "c", order: "newestEnd" }),
      put: (row) => [event(row, 3_000, after(0), after(1_000 - row), "c")],
      move: moveEvent(3_000, "ends_at", (place) => after(1_000 - place)),
    },
    "events, the last to begin first, and those without a date": {
      read: (window) => events.list({ ...window, region: "d", order: "newestStart" }),
      put: (row) => [
        event(row, 4_000, row > 20 ? "NULL" : after(1_000 - row), after(1_000), "d").replace(`${4_000 + row}`, `${5_000 - row}`),
      ],
      move: (row, place) => `UPDATE cs2_events SET starts_at = ${after(1_000 - place)} WHERE event_number = ${5_000 - row}`,
    },
    "events that are played": {
      read: (window) => events.active({ ...window, upcoming: 0 }),
      put: (row) => [event(row, 6_000, after(row), "NULL", "e")],
      move: moveEvent(6_000, "starts_at", after),
    },
    participants: {
      read: (window) => events.participants("cs2-event-1", window),
      put: (row) => [
        team(row, 1_000, "NULL", "ZZ"),
        `INSERT INTO cs2_event_teams (event_number, team_number, seed) VALUES (1, ${1_000 + row}, ${row > 20 ? "NULL" : row})`,
      ],
      move: (row, place) => `UPDATE cs2_event_teams SET seed = ${place} WHERE team_number = ${1_000 + row}`,
    },
    leagues: {
      read: leagues.list,
      put: (row) => [
        event(row, 7_000, after(90_000 - row), after(90_000), "f").replace(
          "'walk-",
          `'${String.fromCharCode(97 + (row % 26), 97 + row / 26)} walk-`,
        ),
      ],
      move: moveEvent(7_000, "starts_at", (place) => after(90_000 - place)),
      // The events of the other lists form leagues too.
      rowOf: (row) => Number(/^[a-z]+ walk-(\d+)$/.exec((row as { readonly name: string }).name)?.[1] ?? Number.NaN) || undefined,
    },
    teams: {
      read: (window) => teams.list({ ...window, countryCode: "AA", order: "ranking" }),
      put: (row) => [team(row, 2_000, row > 20 ? "NULL" : String(row), "AA")],
      move: (row, place) => `UPDATE cs2_teams SET world_ranking = ${place} WHERE team_number = ${2_000 + row}`,
    },
    "teams by name": {
      read: (window) => teams.list({ ...window, countryCode: "AB", order: "name" }),
      put: (row) => [team(row, 3_000, "NULL", "AB", `${sorted("Ü", row)} walk-${row}`)],
      move: (row, place) => `UPDATE cs2_teams SET name = '${sorted("Ü", place)} walk-${row}' WHERE team_number = ${3_000 + row}`,
    },
    players: {
      read: (window) => players.list({ ...window, countryCode: "AA", order: "maps" }),
      put: (row) => [player(row, 1_000, 1_000 - row, "NULL", "AA")],
      move: (row, place) => `UPDATE cs2_players SET maps_played = ${1_000 - place} WHERE player_number = ${1_000 + row}`,
    },
    "players by rating": {
      read: (window) => players.list({ ...window, countryCode: "AB", order: "rating" }),
      put: (row) => [player(row, 2_000, 0, row > 20 ? "NULL" : `1.0::double precision / ${row}`, "AB")],
      move: (row, place) => `UPDATE cs2_players SET career_rating = 1.0::double precision / ${place} WHERE player_number = ${2_000 + row}`,
    },
    "players by name": {
      read: (window) => players.list({ ...window, countryCode: "AC", order: "name" }),
      put: (row) => [player(row, 3_000, 0, "NULL", "AC", `${sorted("n", row)} walk-${row}`)],
      move: (row, place) => `UPDATE cs2_players SET nickname = '${sorted("n", place)} walk-${row}' WHERE player_number = ${3_000 + row}`,
    },
    "a player's maps": {
      read: (window) =>
        Effect.map(players.stats("cs2-player-1", window), (found) => there(found._tag === "Some" ? found.value : undefined)),
      put: (row) => [
        series(row, 4_000, "completed", after(row)),
        `INSERT INTO cs2_games (match_number, map_number, map_id, status, played_at, source)
          VALUES (${4_000 + row}, 1, 'de_walk-${row}', 'completed', now(), 'walk')`,
        `INSERT INTO cs2_player_games (match_number, map_number, player_number, team_number, played_at, rounds, kills, deaths, source)
          VALUES (${4_000 + row}, 1, 1, 1, ${before(row)}, 20, 1, 1, 'walk')`,
      ],
      move: (row, place) => `UPDATE cs2_player_games SET played_at = ${before(place)} WHERE match_number = ${4_000 + row}`,
    },
    "events of a map": {
      read: (window) => games.events({ matchNumber: 1, mapNumber: 1 }, {}, window),
      put: (row) => [
        `INSERT INTO cs2_game_events (match_number, map_number, ordinal, type, weapon) VALUES (1, 1, ${row}, 'Kill', 'walk-${row}')`,
      ],
      move: (row, place) => `UPDATE cs2_game_events SET ordinal = ${place} WHERE weapon = 'walk-${row}'`,
    },
    transfers: {
      read: (window) => transfers.transfers({ ...all, ...window, player: "cs2-player-2" }),
      put: (row) => [transfer(row, "a", 2, before(row))],
      move: (row, place) => `UPDATE cs2_transfers SET transferred_at = ${before(place)} WHERE transfer_key = 'awalk-${row}'`,
    },
    "transfers of a player, the oldest first": {
      read: (window) => Effect.map(transfers.ofPlayer("cs2-player-3", { ...all, ...window, oldestFirst: true }), there),
      put: (row) => [transfer(row, "b", 3, after(row))],
      move: (row, place) => `UPDATE cs2_transfers SET transferred_at = ${after(place)} WHERE transfer_key = 'bwalk-${row}'`,
    },
    "roster changes": {
      read: rosters.changes,
      put: (row) => [
        `INSERT INTO cs2_roster_changes (change_id, change_type, player_number, team_number, role_before, effective_at, detected_at, confidence)
          VALUES (gen_random_uuid(), 'join', 1, 1, 'walk-${row}', ${before(row)}, now(), 'high')`,
      ],
      move: (row, place) => `UPDATE cs2_roster_changes SET effective_at = ${before(place)} WHERE role_before = 'walk-${row}'`,
    },
    "a roster over time": {
      read: (window) => Effect.map(rosters.ofTeam("cs2-team-1", window), there),
      put: (row) => [
        player(row, 4_000, 0, "NULL", "ZZ"),
        `INSERT INTO cs2_roster_spells (player_number, team_number, role, first_match_at, last_match_at, left_at, matches, confidence)
          VALUES (${4_000 + row}, 1, 'player', ${after(0)}, ${before(row)}, ${row > 20 ? "now()" : "NULL"}, 1, 'high')`,
      ],
      move: (row, place) => `UPDATE cs2_roster_spells SET last_match_at = ${before(place)}, left_at = ${place > 20 ? "now()" : "NULL"}
        WHERE player_number = ${4_000 + row}`,
    },
    changelog: {
      read: (window) => changelog.changes({ ...window, full: false }),
      put: (row) => [
        `INSERT INTO cs2_changelog (change_number, entity_type, entity_id, field_path, action) OVERRIDING SYSTEM VALUE
          VALUES (${1_000 - row}, 'team', 'cs2-team-1', 'walk-${row}', 'updated')`,
      ],
      // Changelog rows cannot move, only be deleted.
      move: (row) => `DELETE FROM cs2_changelog WHERE field_path = 'walk-${row}'`,
    },
    odds: {
      read: (window) => odds.markets({ ...window, kind: "map_winner" }),
      put: (row) => [
        `INSERT INTO cs2_odds_markets (source, source_key, kind, map_number, title, team1_name, team2_name, state, starts_at)
          VALUES ('walk', '${row}', 'map_winner', 1, 'walk-${row}', 'a', 'b', '${row > 12 ? "closed" : "open"}', ${row > 26 ? "NULL" : before(row)})`,
      ],
      move: (row, place) =>
        `UPDATE cs2_odds_markets SET state = '${place > 12 ? "closed" : "open"}', starts_at = ${before(place)} WHERE source_key = '${row}'`,
    },
    "moves of a line": {
      read: (window) => Effect.map(odds.line(marketNumber, window), there),
      put: (row) => [
        `INSERT INTO cs2_odds_prices (market_number, priced_at, team1_price, team2_price, state)
          VALUES (${marketNumber}, ${after(row)} + interval '1 microsecond', ${row}, 2, 'open')`,
      ],
      move: (row, place) => `UPDATE cs2_odds_prices SET priced_at = ${after(place)} WHERE team1_price = ${row}`,
      rowOf: (row) => (row as { readonly team1: number }).team1,
    },
    skins: {
      read: (window) => skins.list({ ...window, weapon: "plain" }),
      put: (row) => [skin(row, "plain", `${sorted("★ ", row)} walk-${row}`, "plain")],
      move: (row, place) => `UPDATE cs2_skins SET market_name = '${sorted("★ ", place)} walk-${row}' WHERE slug = 'plain-${row}'`,
    },
    "skins by a part of their names": {
      read: (window) => skins.list({ ...window, weapon: "liked", q: "walk" }),
      put: (row) => [skin(row, "liked", `liked walk-${row}`, `walk ${"x".repeat(row)}`)],
      move: (row, place) => `UPDATE cs2_skins SET words = 'walk ${"x".repeat(place)}' WHERE slug = 'liked-${row}'`,
    },
    "skins like a name": {
      read: (window) => skins.list({ ...window, weapon: "misspelt", q: "wallkable" }),
      put: (row) => [skin(row, "misspelt", `misspelt walk-${row}`, `${row > 20 ? "walkables" : "walkable"} ${"x".repeat(row)}`)],
      move: (row, place) =>
        `UPDATE cs2_skins SET words = '${place > 20 ? "walkables" : "walkable"} ${"x".repeat(place)}' WHERE slug = 'misspelt-${row}'`,
    },
    "prices of a skin": {
      read: (window) => skins.prices(plain, window),
      put: (row) => [
        `INSERT INTO cs2_skin_prices (skin_number, priced_on, currency, minor_units)
          SELECT skin_number, date '2020-01-01' + ${row}, 'USD', ${row} FROM cs2_skins WHERE weapon = 'none'`,
      ],
      move: (row, place) => `UPDATE cs2_skin_prices SET priced_on = date '2020-01-01' + ${place} WHERE minor_units = ${row}`,
      rowOf: (row) => (row as { readonly minorUnits: number }).minorUnits,
    },
  }
  return lists
})
