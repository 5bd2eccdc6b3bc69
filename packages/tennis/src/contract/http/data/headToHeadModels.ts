import { Schema } from "effect"
import { TennisMatch } from "./matchModels.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const natural = Schema.Natural

const wins = { player1_wins: natural, player2_wins: natural } as const
const Wins = Schema.Struct(wins)

export const ComparedPlayer = Schema.Struct({
  id: Text,
  name: Text,
  country: nullable(Text),
  current_rank: nullable(natural),
  career_high: nullable(natural),
}).annotate({ identifier: "TennisComparedPlayer" })
export type ComparedPlayer = typeof ComparedPlayer.Type

export const TennisHeadToHead = Schema.Struct({
  player1: ComparedPlayer,
  player2: ComparedPlayer,
  matches: natural.annotate({ description: "Matches that one of the players won, without walkovers" }),
  ...wins,
  walkovers: natural,
  main_tour: Wins.annotate({ description: "Only matches of the main tour" }),
  finals: Wins.annotate({ description: "Only finals of tournaments. Team competitions have none" }),
  grand_slams: Wins,
  by_surface: Schema.Array(Schema.Struct({ surface: nullable(Text), ...wins })),
  by_level: Schema.Array(Schema.Struct({ level: nullable(Text), ...wins })),
  by_year: Schema.Array(Schema.Struct({ year: natural, ...wins })),
  meetings: Schema.Array(TennisMatch).annotate({ description: "All matches including walkovers, newest first" }),
}).annotate({ identifier: "TennisHeadToHead" })
export type TennisHeadToHead = typeof TennisHeadToHead.Type

export const TennisMatrix = Schema.Struct({
  players: Schema.Array(
    Schema.Struct({
      ...ComparedPlayer.fields,
      wins: natural.annotate({ description: "Wins over the other players of the table" }),
      losses: natural,
    }),
  ),
  pairs: Schema.Array(Schema.Struct({ player1_id: Text, player2_id: Text, ...wins })).annotate({
    description: "Every pair once, in the order of the players",
  }),
}).annotate({ identifier: "TennisHeadToHeadMatrix" })
export type TennisMatrix = typeof TennisMatrix.Type
