/** Interface between the archive pages, which are the same for all games, and the pages and the search of a game. */
import type { Client } from "@matchpoint/client"
import type { SectionLink } from "./sectionParts.ts"

export interface Page {
  readonly title: string
  readonly element: Node
  /** Announced to screen readers when the page is shown. */
  readonly words?: string
}

/** Search results of one kind, such as players. Each item is a list item that begins with a link. */
export interface FoundGroup {
  readonly title: string
  readonly items: ReadonlyArray<HTMLElement>
}

/** `name` is the last segment of the URL path, decoded: an id or a slug. */
export type LoadPage = (client: Client, name: string, query: URLSearchParams) => Promise<Page>

export interface ArchiveSection {
  readonly title: string
  /** Pages from which the archive can be explored without a search. */
  readonly home: ReadonlyArray<SectionLink>
  /** Pages by URL path without the last segment, such as `/teams`. */
  readonly pages: Readonly<Record<string, LoadPage>>
  /** Groups without results may be left out. */
  readonly search: (client: Client, question: string) => Promise<ReadonlyArray<FoundGroup>>
}
