/** Writers of the archives beside the importers. */
import { ApexArchiver } from "@matchpoint/apex/live/ApexArchiver"
import { CodArchiver } from "@matchpoint/cod/live/CodArchiver"
import { ArchiveUpkeep } from "@matchpoint/cs2/live/ArchiveUpkeep"
import { MatchArchiver } from "@matchpoint/cs2/live/MatchArchiver"
import { TournamentEvents } from "@matchpoint/cs2/live/TournamentEvents"
import { TennisArchiver } from "@matchpoint/tennis/live/TennisArchiver"
import { Layer } from "effect"

export const Archivers = Layer.mergeAll(ApexArchiver.layer, CodArchiver.layer, MatchArchiver.layer, TennisArchiver.layer)

/** Announces what changes in an archive without a live match. */
export const ArchiveAnnouncements = TournamentEvents.layer

export const Upkeep = ArchiveUpkeep.layer
