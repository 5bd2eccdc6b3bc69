/** The archive pages and the search of tennis. */
import type { ArchiveSection } from "../../archive/ArchiveSection.ts"

export const tennisArchive: ArchiveSection = {
  title: "Tennis",
  pages: {},
  search: async () => [],
}
