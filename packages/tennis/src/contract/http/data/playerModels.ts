import { Schema } from "effect"
import { TourName } from "./references.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const natural = Schema.Natural

const limited = "null on plans with limited history"

/** A player as a row of a list. */
export const TennisPlayer = Schema.Struct({
  id: Text,
  tour: TourName,
  name: Text,
  first_name: nullable(Text),
  last_name: nullable(Text),
  country: nullable(Text).annotate({ description: "Country code of the IOC: `SUI`" }),
  dob: nullable(Text).annotate({ description: "Day of birth" }),
  hand: nullable(Schema.Literals(["right", "left", "both"])),
  height_cm: nullable(natural),
  current_rank: nullable(natural).annotate({ description: "Rank on the newest ranking list; null if the player is not on it" }),
  career_high: nullable(natural).annotate({ description: `Best rank on any list of the archive; ${limited}` }),
  matches: nullable(natural).annotate({ description: `Matches won and lost on all circuits; ${limited}` }),
  titles: nullable(natural).annotate({ description: `Titles of the main tour and of the amateur era; ${limited}` }),
}).annotate({ identifier: "TennisPlayer" })
export type TennisPlayer = typeof TennisPlayer.Type

export const PlayerHit = Schema.Struct({
  ...TennisPlayer.fields,
  match: Schema.Literals(["exact", "nickname", "prefix", "fuzzy"]).annotate({
    description:
      "Why the player was found: the whole or last name, a nickname or another given name, the beginning of words of the name, or a similar name",
  }),
  score: Schema.Finite.annotate({ description: "Relevance from 0 to 1: how well the text fits, and how well known the player is" }),
}).annotate({ identifier: "TennisPlayerHit" })
export type PlayerHit = typeof PlayerHit.Type

const Ranked = Schema.Struct({ rank: natural, points: nullable(natural), date: Text })

/** Walkovers and unfinished matches are neither. */
const wonAndLost = {
  wins: natural,
  losses: natural,
  titles: natural.annotate({ description: "Finals won on the main tour and in the amateur era, without team competitions" }),
} as const

export const TennisPlayerProfile = Schema.Struct({
  id: Text,
  tour: TourName,
  name: Text,
  first_name: nullable(Text),
  last_name: nullable(Text),
  country: nullable(Text).annotate({ description: "Country code of the IOC: `SUI`" }),
  dob: nullable(Text).annotate({ description: "Day of birth" }),
  hand: nullable(Schema.Literals(["right", "left", "both"])),
  backhand: Schema.Null,
  backhand_reason: Schema.Literal("not_in_archive"),
  height_cm: nullable(natural),
  wikidata_id: nullable(Text),
  current_rank: nullable(Ranked).annotate({ description: "Rank on the newest list; null if the player is not on it" }),
  career_high: nullable(Schema.Struct({ rank: natural, date: Text })).annotate({ description: "Best rank, and the first list with it" }),
  career: Schema.Struct({
    matches: natural,
    ...wonAndLost,
    first_match: nullable(Text).annotate({ description: "Day of the first match in the archive" }),
    last_match: nullable(Text),
  }).annotate({ description: "All circuits" }),
  main_tour: Schema.Struct({ matches: natural, ...wonAndLost }).annotate({ description: "Only the main tour" }),
}).annotate({ identifier: "TennisPlayerProfile" })
export type TennisPlayerProfile = typeof TennisPlayerProfile.Type
