/**
 * References to entities (teams, players and so on) in paths and queries. A reference is either the id or the slug,
 * which is more readable.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/**
 * Returns the schema of a reference (an id or a slug). The two examples become part of its description. Slugs consist
 * of letters, digits and hyphens, so all other text is rejected.
 */
const reference = (example: string, other: string) =>
  Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,99}$/u)).annotate({
    description: `Id or slug: \`${example}\` or \`${other}\``,
  })

export const TeamReference = reference("cs2-team-12", "alpha-wolves")
export const PlayerReference = reference("cs2-player-12", "p101")
export const EventReference = reference("cs2-event-12", "winter-cup-2026")

/**
 * Text of a filter, at most 100 characters. Control characters are rejected because names contain none, and because
 * PostgreSQL cannot store NUL.
 */
export const PlainText = StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u))

/** Text that a user has typed into a search box. */
export const SearchText = PlainText.annotate({ description: "Part of a name, in any case" })

/** Two-letter country code of ISO 3166, in upper or lower case. */
export const CountryCode = Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/)).annotate({ description: "ISO 3166 code: `SE`" })
