/** Archive pages of the games, in the order of search results. */
import { apexArchive } from "@matchpoint/apex/pages/archive/apexArchive"
import { codArchive } from "@matchpoint/cod/pages/archive/codArchive"
import { cs2Archive } from "@matchpoint/cs2/pages/archive/cs2Archive"
import type { ArchiveSection } from "@matchpoint/game/pages/archive/ArchiveSection"
import { tennisArchive } from "@matchpoint/tennis/pages/archive/tennisArchive"

export const sections: ReadonlyArray<ArchiveSection> = [cs2Archive, tennisArchive, codArchive, apexArchive]
