/** Reports by sources about teams, players and events, and the result of writing them with `ArchiveWriter`. */
import type { EventRef, PlayerRef, TeamRef } from "../../rules/archive/ArchivedMatch.ts"

/** If a field is undefined, the stored value is kept. */
export interface TeamDetails extends TeamRef {
  readonly aliases?: ReadonlyArray<string> | undefined
  readonly tag?: string | undefined
  readonly region?: "europe" | "americas" | "asia" | undefined
  readonly countryCode?: string | undefined
  readonly logoUrl?: string | undefined
  readonly alternateLogoUrl?: string | undefined
  readonly darkUiLogoUrl?: string | undefined
}

/**
 * `roster` are the players at the time of the report, which help to distinguish teams with the same name. `apartFrom`
 * are names that the source uses for other teams: an existing team with one of them is not the reported team.
 */
export interface TeamReport {
  readonly apartFrom?: ReadonlySet<string> | undefined
  readonly team: TeamDetails
  readonly seen: ReportOrigin
  readonly roster?: ReadonlyArray<PlayerRef> | undefined
}

export interface PlayerDetails extends PlayerRef {
  readonly realName?: string | undefined
  readonly countryCode?: string | undefined
  readonly role?: "player" | "coach" | undefined
  /** YYYY-MM-DD. */
  readonly birthDate?: string | undefined
  readonly imageUrl?: string | undefined
  /** Main role in the game, such as `awper` or `entry`. */
  readonly primaryRole?: string | undefined
}

/** `teamNumber` is the player's team at the time of the report. */
export interface PlayerReport {
  readonly player: PlayerDetails
  readonly seen: ReportOrigin
  readonly teamNumber?: number | undefined
}

export interface EventDetails extends EventRef {
  /** Start and end of the event, epoch ms. */
  readonly startsAt?: number | undefined
  readonly endsAt?: number | undefined
  readonly region?: string | undefined
  readonly location?: string | undefined
  readonly prizePool?: number | undefined
  readonly currency?: string | undefined
  readonly format?: string | undefined
  /** From 0 to 100. */
  readonly prestigeScore?: number | undefined
  readonly logoUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly bannerImageUrl?: string | undefined
}

/** Source and time of a report. They help to distinguish entities with the same name. */
export interface ReportOrigin {
  readonly source: string
  /** Time at which the source stated the data, epoch ms. This may be long before the import. */
  readonly at: number
}

export interface Written {
  readonly entityNumber: number
  readonly outcome: "created" | "updated" | "unchanged"
}
