/** Reads statistics of teams, maps, weapons and pistol rounds. See also `PlayerStats`. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { MapStatsRow, PistolRoundsRow, TeamStatsRow, WeaponStatsRow } from "../../contract/http/data/statsModels.ts"
import { roundedShareText, roundedText } from "../rates.ts"
import { statsTables } from "./measured.ts"
import { type Ranking, ranked, type StatsPage, type StatsRows, TEAM_JOINS } from "./ranked.ts"

export interface ScenePage extends StatsPage {
  readonly minMaps: number
}

type Read<A> = (page: ScenePage) => Effect.Effect<StatsRows<A>, StoreError>

export class TeamAndMapStats extends Context.Service<
  TeamAndMapStats,
  {
    /** Sorted by share of matches won, highest first. With the same share, teams with more matches come first. */
    readonly teams: Read<TeamStatsRow>
    /** Sorted by share of pistol rounds won, highest first. With the same share, teams with more such rounds come first. */
    readonly pistolRounds: Read<PistolRoundsRow>
    /** Most played first. */
    readonly maps: Read<MapStatsRow>
    /** Most kills first. */
    readonly weapons: Read<WeaponStatsRow>
  }
>()("@matchpoint/cs2/archive/stats/TeamAndMapStats") {
  static readonly layer = Layer.effect(
    TeamAndMapStats,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const list = <A, I>(name: string, maps: string, ranking: Ranking<A, I>): Read<A> => {
        const read = ranked(sql, ranking)
        return (page) =>
          read(page, sql`${sql(`m.${maps}`)} >= ${page.minMaps}`).pipe(
            storeOperation(`TeamAndMapStats.${name}`, limit),
            Effect.withSpan(`TeamAndMapStats.${name}`),
          )
      }

      return TeamAndMapStats.of({
        teams: list("teams", "maps", {
          model: TeamStatsRow,
          table: statsTables.teams,
          row: TEAM_ROW,
          joins: TEAM_JOINS,
          order: "m.match_win_percent DESC NULLS LAST, m.matches DESC, m.team_number",
          condition: "true",
        }),
        pistolRounds: list("pistolRounds", "maps", {
          model: PistolRoundsRow,
          table: statsTables.pistols,
          row: PISTOL_ROW,
          joins: TEAM_JOINS,
          order: "m.win_percent DESC, m.played DESC, m.team_number",
          condition: "true",
        }),
        maps: list("maps", "maps_played", {
          model: MapStatsRow,
          table: statsTables.maps,
          row: MAP_ROW,
          joins: "",
          order: "m.maps_played DESC, m.map_id",
          condition: "true",
        }),
        weapons: list("weapons", "maps", {
          model: WeaponStatsRow,
          table: statsTables.weapons,
          row: WEAPON_ROW,
          joins: "",
          order: "m.kills DESC, m.weapon",
          condition: "true",
        }),
      })
    }),
  )
}

const TEAM_ROW = `jsonb_build_object(
    'teamId', cs2_team_id(m.team_number), 'teamName', t.name, 'matches', m.matches, 'matchWins', m.match_wins,
    'matchWinPercent', ${roundedText("m.match_win_percent")}, 'maps', m.maps, 'mapWins', m.map_wins, 'mapLosses', m.map_losses,
    'mapWinPercent', ${roundedText("m.map_win_percent")}, 'roundsFor', m.rounds_for, 'roundsAgainst', m.rounds_against,
    'roundWinPercent', ${roundedText("m.round_win_percent")})`

const PISTOL_ROW = `jsonb_build_object(
    'teamId', cs2_team_id(m.team_number), 'teamName', t.name, 'pistolRoundsPlayed', m.played, 'pistolRoundsWon', m.won,
    'pistolWinPercent', ${roundedText("m.win_percent")}, 'firstHalfPistolWins', m.first_half_wins, 'secondHalfPistolWins', m.second_half_wins,
    'ctPistolWinPercent', ${roundedText("m.ct_win_percent")}, 'tPistolWinPercent', ${roundedText("m.t_win_percent")}, 'maps', m.maps)`

const MAP_ROW = `jsonb_build_object('mapName', m.map_id, 'mapsPlayed', m.maps_played, 'share', ${roundedShareText("m.share")})`

const WEAPON_ROW = `jsonb_build_object(
    'weapon', m.weapon, 'kills', m.kills, 'headshots', m.headshots,
    'headshotPercent', ${roundedShareText("m.headshots::double precision / NULLIF(m.kills, 0)")}, 'killShare', ${roundedShareText("m.kill_share")}, 'maps', m.maps)`
