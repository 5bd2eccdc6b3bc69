/** Page of an archived match, or a link to its live page while the archive does not have it. */
import { RequestError } from "@matchpoint/client"
import { h } from "../parts/dom.ts"
import type { Page } from "./ArchiveSection.ts"

/** `noun` is what the game calls a match. Fails if the page cannot be loaded and `matchId` is not the id of a live match. */
export const archivedOrLive = async (matchId: string, game: string, noun: "match" | "lobby", load: () => Promise<Page>): Promise<Page> => {
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 404 && matchId.startsWith(`${game}-match-`))) throw error
    return { title: `Live ${noun}`, element: liveNotice(matchId, noun) }
  }
}

const plurals = { match: "Matches", lobby: "Lobbies" } as const

const liveNotice = (matchId: string, noun: keyof typeof plurals) =>
  h(
    "div",
    { class: "notice" },
    h("h1", {}, `This ${noun} is not in the archive`),
    h(
      "p",
      {},
      `${plurals[noun]} come into the archive when they end. `,
      h("a", { href: `/#/match/${encodeURIComponent(matchId)}` }, "Follow it live"),
    ),
  )
