/** References to entities (teams, players and so on) in paths and queries: an id or a slug. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/** The examples become part of the description. Slugs consist of letters, digits and hyphens; other text is rejected. */
const reference = (example: string, other: string) =>
  Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,99}$/u)).annotate({
    description: `Id or slug: \`${example}\` or \`${other}\``,
  })

export const TeamReference = reference("cs2-team-12", "alpha-wolves")
export const PlayerReference = reference("cs2-player-12", "p101")
export const EventReference = reference("cs2-event-12", "winter-cup-2026")

/** At most 100 characters. No control characters: names contain none, and PostgreSQL cannot store NUL. */
export const PlainText = StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u))

export const SearchText = PlainText.annotate({ description: "Part of a name, in any case" })

/** Two-letter country code of ISO 3166, in upper or lower case. */
export const CountryCode = Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/)).annotate({ description: "ISO 3166 code: `SE`" })
