/**
 * Writes many matches at once: loads everything to which they refer, merges the reports in memory in the given order,
 * and writes the result. The number of SQL statements does not depend on the number of matches. Must run in a
 * transaction that has acquired the archive lock.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ArchivedMatch } from "../../rules/archive/ArchivedMatch.ts"
import { type SourceKey, unclearKey } from "../../rules/archive/identity.ts"
import { handleKey, nameKey } from "../../rules/archive/names.ts"
import { indexWords } from "../search/searchWords.ts"
import { assignTeams, type Moved } from "../seats.ts"
import { loadRegister, type Wanted } from "./identity/loadRegister.ts"
import type { EntityType } from "./identity/Register.ts"
import { eventKeys, playerKeys, teamKeys } from "./identity/resolveIdentity.ts"
import { playersInEvents, type ResolvedMatch, rememberResolved, rememberStored, resolveMatch, rosterOf } from "./identity/resolveMatch.ts"
import { nextMatchNumbers, numberNew, saveRegister } from "./identity/saveRegister.ts"
import { loadMatches, MatchBook, type MatchDraft, numbersOfKeys, numbersOfPairs, type PairAt } from "./merge/MatchBook.ts"
import { mergeMatch } from "./merge/mergeMatch.ts"
import type { Written } from "./reports.ts"
import { isoTime } from "./rows.ts"
import { saveMatches } from "./saveMatches.ts"
import { countPlayers, dateEvents } from "./upkeep.ts"

export const writeMatches = Effect.fnUntraced(function* (sql: PgClient.PgClient, matches: ReadonlyArray<ArchivedMatch>) {
  if (matches.length === 0) return []
  const book = new MatchBook()
  yield* loadMatches(sql, book, yield* numbersOfKeys(sql, matches))
  const register = yield* loadRegister(sql, wantedBy(matches, book))

  const earlier = new Map<string, ResolvedMatch>()
  const resolved = matches.map((match) => {
    const [stored, before] = [book.find(match), earlier.get(`${match.source}\n${match.key}`)]
    const remembered = before === undefined ? stored && rememberStored(register, stored) : rememberResolved(before)
    const now = resolveMatch(register, match, remembered)
    earlier.set(`${match.source}\n${match.key}`, now)
    return now
  })

  const pairs = resolved.flatMap(
    ({ teams: [a, b], reported }): ReadonlyArray<PairAt> =>
      book.find(reported) !== undefined || a.number === 0 || b.number === 0
        ? []
        : [{ a: a.number, b: b.number, startsAt: reported.startsAt }],
  )
  yield* loadMatches(sql, book, yield* numbersOfPairs(sql, pairs))
  yield* numberNew(sql, register)
  const isUnnumbered = ({ reported }: ResolvedMatch) => reported.matchNumber === undefined && book.find(reported) === undefined
  const numbers = yield* nextMatchNumbers(sql, resolved.filter(isUnnumbered).length)
  const saved = yield* saveRegister(sql, register)

  const outcomes = resolved.map((one) => mergeMatch(book, one, () => numbers.shift() ?? 0))
  const stored = yield* saveMatches(sql, [...book.drafts.values()])
  const changed = stored.matches.map(({ number }) => number)
  const events = new Set(stored.matches.flatMap(({ series }) => (series.event_number === null ? [] : [series.event_number])))
  yield* dateEvents(sql, [...events], changed)
  yield* assignTeams(sql, changed, stored.matches.flatMap(movedOf))
  yield* countPlayers(sql, stored.players)
  yield* indexWords(sql, saved, changed)
  return outcomes.map(({ draft, outcome }): Written => ({ entityNumber: draft.number, outcome }))
})

const movedOf = ({ before, number, series }: MatchDraft): ReadonlyArray<Moved> =>
  before === undefined || before.starts_at === series.starts_at ? [] : [{ match_number: number, was: isoTime(before.starts_at) }]

/** The entities named in the reports, and the participants of stored matches. */
const wantedBy = (matches: ReadonlyArray<ArchivedMatch>, book: MatchBook): Wanted => {
  const keys = new Map<string, Wanted["keys"][number]>()
  const names = new Map<string, Wanted["names"][number]>()
  const drafts = [...book.drafts.values()]
  const numbers = {
    team: drafts.flatMap(({ series }) => [series.team1_number, series.team2_number]),
    player: drafts.flatMap(({ lineup }) => [...lineup.keys()]),
    event: drafts.flatMap(({ series }) => (series.event_number === null ? [] : [series.event_number])),
  }
  const want = (type: EntityType, nameKey: string, source: string, own: ReadonlyArray<SourceKey>, number?: number) => {
    names.set(`${type}\n${nameKey}`, { type, nameKey })
    for (const key of [...own, unclearKey(source, nameKey)]) keys.set(`${type}\n${key.source}\n${key.key}`, { ...key, type })
    if (number !== undefined) numbers[type].push(number)
  }
  for (const match of matches) {
    const { event, source, teams } = match
    for (const team of teams) want("team", nameKey(team.name), source, teamKeys(team, source), team.teamNumber)
    for (const player of [...rosterOf(match, 0), ...rosterOf(match, 1), ...playersInEvents(match)]) {
      want("player", handleKey(player.nickname), source, playerKeys(player, source), player.playerNumber)
    }
    if (event !== undefined) want("event", nameKey(event.name), source, eventKeys(event, source))
  }
  const times = matches.map(({ startsAt }) => startsAt)
  return { keys: [...keys.values()], names: [...names.values()], numbers, from: Math.min(...times), to: Math.max(...times) }
}
