import { Schema } from "effect"
import { CodTeamRef } from "../data/references.ts"
import { measured, scoped, winPct } from "./analyticsModels.ts"

const score = measured("T-score among the teams of the period: 50 is the average, 10 one standard deviation")
const mode = Schema.NullOr(Schema.String)

export const CodTeamStyle = Schema.Struct({
  ...scoped,
  team: Schema.String.annotate({ description: "Name" }),
  teamSlug: Schema.String,
  mapsPlayed: Schema.Natural,
  playstyle: Schema.Struct({
    aggression: score,
    rotationSpeed: score,
    mapControl: score,
    slayingPower: score,
    objectivePlay: score,
  }),
  tendencies: Schema.Struct({
    preferredMaps: Schema.Array(Schema.String).annotate({ description: "Up to three maps, most preferred first" }),
    preferredBy: Schema.Literals(["picks", "played"]).annotate({
      description: "`picks`: choices in the veto; `played`: maps played, because no choice is known",
    }),
    strongestMode: mode.annotate({ description: "Mode with the highest share of maps won; null with fewer than two modes of five maps" }),
    weakestMode: mode,
  }),
}).annotate({ identifier: "CodTeamStyle" })

const wins = { team1Wins: Schema.Natural, team2Wins: Schema.Natural } as const

export const CodTeamHeadToHead = Schema.Struct({
  success: scoped.success,
  team1: CodTeamRef,
  team2: CodTeamRef,
  allTime: Schema.Struct({
    ...wins,
    mapRecord: Schema.Struct({
      team1: Schema.Natural,
      team2: Schema.Natural,
      unknownScores: Schema.Natural.annotate({
        description: "Matches whose maps do not count here, because the source lacks maps and the score is unknown",
      }),
    }).annotate({ description: "Maps won in these matches" }),
  }),
  currentSeason: Schema.Struct({
    season: scoped.season.annotate({ description: "null if the archive has no season" }),
    ...wins,
    lastMatch: Schema.NullOr(
      Schema.Struct({
        date: Schema.String.annotate({ description: "Start, ISO 8601 in UTC" }),
        winner: Schema.NullOr(Schema.String).annotate({ description: "Slug of the team" }),
        score: Schema.NullOr(Schema.String).annotate({
          description: "Maps of team 1 and team 2: `3-1`; null if the source lacks maps of the match",
        }),
      }),
    ).annotate({ description: "null if they have not met in the season" }),
  }),
}).annotate({ identifier: "CodTeamHeadToHead" })

export const CodMapComparison = Schema.Struct({
  success: scoped.success,
  season: scoped.season,
  count: Schema.Natural.annotate({ description: "Number of maps" }),
  teams: Schema.Array(CodTeamRef),
  maps: Schema.Array(
    Schema.Struct({
      mapName: Schema.String,
      gameMode: Schema.String,
      teams: Schema.Array(
        Schema.Struct({
          slug: Schema.String,
          played: Schema.Natural,
          wins: Schema.Natural,
          losses: Schema.Natural,
          winPct,
          picks: Schema.Natural.annotate({ description: "Times that the team chose the map in the veto" }),
          pointsFor: Schema.Natural.annotate({ description: "Points or rounds, see the mode" }),
          pointsAgainst: Schema.Natural,
          lastPlayed: Schema.NullOr(Schema.String).annotate({ description: "ISO 8601 in UTC; null if the team has not played the map" }),
        }),
      ).annotate({ description: "In the order of `teams`" }),
    }).annotate({ identifier: "CodComparedMap" }),
  ).annotate({ description: "Maps that one of the teams has played, by mode and name" }),
}).annotate({ identifier: "CodMapComparison" })
