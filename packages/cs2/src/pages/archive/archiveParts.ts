/** Building blocks of the archive pages of CS2: links and lists of matches. */
import { list, row, when } from "@matchpoint/game/pages/archive/archiveParts"
import { h } from "@matchpoint/game/pages/parts/dom"
import type { MatchSummary } from "../types.ts"

export const linkTo = (kind: "teams" | "players" | "matches" | "events", idOrSlug: string, text: string) =>
  h("a", { href: `/${kind}/${encodeURIComponent(idOrSlug)}` }, text)

/** Such as `2:1`. Null if the match has no score. */
export const score = ({ team1Score, team2Score }: Pick<MatchSummary, "team1Score" | "team2Score">) =>
  team1Score === null || team2Score === null ? null : `${team1Score}:${team2Score}`

export const matchRow = (match: MatchSummary) =>
  row(linkTo("matches", match.id, `${match.team1Name} – ${match.team2Name}`), [
    score(match),
    match.status,
    match.eventName,
    when(match.startsAt),
  ])

export const matchList = (matches: ReadonlyArray<MatchSummary>, nothing: string) => list(matches.map(matchRow), nothing)
