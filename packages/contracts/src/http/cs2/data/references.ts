/** References to entities in paths and queries: the id, or the more readable slug. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/** Slugs consist of letters, digits and hyphens. Any other text matches no entity. */
const reference = (example: string, other: string) =>
  Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,99}$/u)).annotate({
    description: `Id or slug: \`${example}\` or \`${other}\``,
  })

export const TeamReference = reference("cs2-team-12", "alpha-wolves")
export const PlayerReference = reference("cs2-player-12", "p101")
export const EventReference = reference("cs2-event-12", "winter-cup-2026")

/** Text of a filter, at most 100 characters. Names contain no control characters, and PostgreSQL rejects NUL. */
export const Words = StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u))

/** Text of a search box. */
export const SearchText = Words.annotate({ description: "Part of a name, in any case" })

/** Two-letter country code of ISO 3166, in upper or lower case. */
export const CountryCode = Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/)).annotate({ description: "ISO 3166 code: `SE`" })
