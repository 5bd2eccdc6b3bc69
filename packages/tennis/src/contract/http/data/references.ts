import { StorableText } from "@matchpoint/domain/storableText"
import { Schema, SchemaTransformation } from "effect"

/** Tour as in responses. */
export const TourName = Schema.Literals(["ATP", "WTA"])
export type TourName = typeof TourName.Type

/** Tour in upper or lower case. */
export const TourParameter = Schema.Literals(["ATP", "WTA", "atp", "wta"]).pipe(
  Schema.decodeTo(
    TourName,
    SchemaTransformation.transform({
      decode: (tour) => (tour === "ATP" || tour === "atp" ? ("ATP" as const) : ("WTA" as const)),
      encode: (tour) => tour,
    }),
  ),
)

export const TennisPlayerId = Schema.String.check(Schema.isPattern(/^(?:atp|wta)_\d{1,9}$/u)).annotate({
  description: "Id of a player: `atp_103819`",
})

/** Id of an archived match, such as `atp-tour-2023-580-145`, or of a live match, such as `tennis-match-1001`. */
export const TennisMatchId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._~-]{1,400}$/u)).annotate({
  description: "Id of an archived match, `atp-tour-2023-580-145`, or of a live match, `tennis-match-1001`",
})

/** Id of a tournament in one year (`atp_2023-580`), or of the competition that is held every year (`atp_580`). */
export const TournamentReference = Schema.String.check(Schema.isPattern(/^(?:atp|wta)_[A-Za-z0-9._~-]{1,80}$/u)).annotate({
  description: "Id of a tournament in one year, `atp_2023-580`, or of a competition, `atp_580`, which means its newest year",
})

export const surfaces = ["Carpet", "Clay", "Grass", "Hard"] as const
export type Surface = (typeof surfaces)[number]

/** The handler rejects unknown surfaces with status 422, so the schema accepts any text. */
export const SurfaceParameter = StorableText.check(Schema.isPattern(/^\P{Cc}{1,30}$/u)).annotate({
  description: `One of ${surfaces.join(", ")}, in any case`,
})

/** Tier of a tournament as in the archive. */
export const LevelParameter = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+]{1,6}$/u)).annotate({
  description: "Tier of the tournament, such as `G` (Grand Slam), `M` (Masters), `A` (ATP tour), `P` (WTA Premier) or `C` (Challenger)",
})

export const RoundParameter = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{1,6}$/u)).annotate({
  description: "Round, such as `F`, `SF`, `QF`, `R16`, `R128`, `RR` (round robin) or `Q1` (qualifying)",
})
