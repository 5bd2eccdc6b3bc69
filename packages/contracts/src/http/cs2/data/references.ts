/** How paths and queries name an entity: by its id, or by its slug, which reads better. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"

/** Slugs are made of letters, digits and hyphens; whatever else it is, it names nothing. */
const reference = (example: string, other: string) =>
  Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,99}$/u)).annotate({
    description: `Id or slug: \`${example}\` or \`${other}\``,
  })

export const TeamReference = reference("cs2-team-12", "alpha-wolves")
export const PlayerReference = reference("cs2-player-12", "p101")
export const EventReference = reference("cs2-event-12", "winter-cup-2026")

/** Words of a filter. Names have no control characters, and databases take no NUL. */
export const Words = StorableText.check(Schema.isPattern(/^\P{Cc}{0,100}$/u))

/** What a search box was given. */
export const SearchText = Words.annotate({ description: "Part of a name, in any case" })

/** Of the country's ISO 3166 code, in any case. */
export const CountryCode = Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/)).annotate({ description: "ISO 3166 code: `SE`" })
