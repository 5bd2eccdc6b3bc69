/** Reports of sources about teams, players and events, as `ArchiveWriter` takes them, and the result of a write. */
import type { EventRef, PlayerRef, TeamRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"

/** Data of a team besides its name, as reported by a source. Undefined fields keep their stored values. */
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
 * A team as reported by a source. `roster`: its players at that time, which distinguish teams with the same name.
 * `apartFrom`: names that the source uses for other teams; none of them may be this team under another name.
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
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string | undefined
  readonly imageUrl?: string | undefined
  /** Role in the game: `awper`, `entry`, … */
  readonly primaryRole?: string | undefined
}

/** A player as reported by a source. `teamNumber`: the player's team at that time. */
export interface PlayerReport {
  readonly player: PlayerDetails
  readonly seen: ReportOrigin
  readonly teamNumber?: number | undefined
}

export interface EventDetails extends EventRef {
  /** Start of the event, epoch ms. `endsAt` is its end. */
  readonly startsAt?: number | undefined
  readonly endsAt?: number | undefined
  readonly region?: string | undefined
  readonly location?: string | undefined
  readonly prizePool?: number | undefined
  readonly currency?: string | undefined
  readonly format?: string | undefined
  /** Prestige of the event, 0..100. */
  readonly prestigeScore?: number | undefined
  readonly logoUrl?: string | undefined
  readonly imageUrl?: string | undefined
  readonly bannerImageUrl?: string | undefined
}

/** Source and time of a name, which help to distinguish entities with the same name. */
export interface ReportOrigin {
  readonly source: string
  /** Epoch ms that the source's data refers to, not the time of the import. */
  readonly at: number
}

export interface Written {
  readonly entityNumber: number
  readonly outcome: "created" | "updated" | "unchanged"
}
