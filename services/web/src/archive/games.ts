/** The games of the archive pages, in the order in which search results are shown. One line per game. */
import { apexArchive } from "../apex/archive/apexArchive.ts"
import { codArchive } from "../cod/archive/codArchive.ts"
import { cs2Archive } from "../cs2/archive/cs2Archive.ts"
import { tennisArchive } from "../tennis/archive/tennisArchive.ts"
import type { ArchiveSection } from "./ArchiveSection.ts"

export const sections: ReadonlyArray<ArchiveSection> = [cs2Archive, tennisArchive, codArchive, apexArchive]
