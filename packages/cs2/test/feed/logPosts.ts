/** Plays posts of a server log through the intake of CS2 and its fold. */
import { assert } from "@effect/vitest"
import type { FactProblem } from "@matchpoint/game/feed/GameFeed"
import { computed } from "@matchpoint/game/feed/slices"
import { Result } from "effect"
import { cs2Feed } from "../../src/feed/intake/cs2Feed.ts"
import type { MatchIntake } from "../../src/feed/intake/MatchIntake.ts"
import { matchId, playerId } from "../../src/rules/ids.ts"
import type { FeedEvent } from "../../src/rules/live/feedEvents.ts"
import { foldAll } from "../../src/rules/live/fold.ts"
import { type MatchState, playerOf } from "../../src/rules/live/state.ts"

/** Account of the player that the posts name p`n`: p1 to p5 play for the first team, p6 to p10 for the second. */
export const idOf = (n: number) => playerId(1_000 + n)

/** Teams and complete rosters of the posts. */
export const registered = {
  bestOf: 1,
  teams: [{ name: "Red" }, { name: "Blue" }],
  roster: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => ({ playerId: idOf(n), team: n <= 5 ? 1 : 2, nickname: `p${n}` })),
}

export const opened = (now: number, registration: object = registered) => {
  const decoded = Result.getOrThrow(cs2Feed.decodeRegistration(registration))
  const created = Result.getOrThrow(cs2Feed.opening(decoded, now)).created(matchId(1))
  return { created, session: sessionOf([created]) }
}

/** Returns the session of a match as it is restored from its facts after a restart. */
export const sessionOf = (facts: ReadonlyArray<FeedEvent>): MatchIntake =>
  cs2Feed.open({ state: undefined, facts: facts.map((event) => ({ event, isFolded: false })), isComplete: true }) ??
  assert.fail("no session")

export interface LogPost {
  readonly lines: ReadonlyArray<string>
  /** Time of arrival, epoch milliseconds. */
  readonly at: number
  /** If true, the intake is restored from its facts before this post. */
  readonly isAfterRestart?: boolean
}

export const playPosts = (posts: ReadonlyArray<LogPost>, registration: object = registered) => {
  const { created, session: first } = opened(posts[0]?.at ?? 0, registration)
  let session = first
  const events: Array<FeedEvent> = [created]
  const problems: Array<FactProblem & { readonly at: number }> = []
  const steps = posts.map(({ at, isAfterRestart = false, lines }) => {
    if (isAfterRestart) session = sessionOf(events)
    const result = computed(cs2Feed.applySubmission(session, { _tag: "Log", lines, source: "main" }, at))
    session = result.next
    events.push(...result.events)
    problems.push(...result.problems.map((problem) => ({ ...problem, at })))
    return { at, counts: result.lines, events: result.events, problems: result.problems, state: session.main.state }
  })
  const state = foldAll(undefined, events) ?? assert.fail("no state")
  assert.deepStrictEqual(state, session.main.state)
  return { events, problems, state, steps, session }
}

/** Kills, deaths and damage of a player on the current map. */
export const tallyOf = (state: MatchState, n: number) => {
  const { damage, deaths, kills } = playerOf(state, idOf(n))?.tally ?? assert.fail(`no p${n}`)
  return { kills, deaths, damage }
}

export const scoreOf = ({ maps }: MatchState) => maps.at(-1)?.score

const stampPattern = /(\d\d)\/(\d\d)\/(\d{4}) - (\d\d):(\d\d):(\d\d)(\.\d{3})?/

/** Time of a line in epoch milliseconds as if its clock showed UTC, or undefined if it has none. */
export const timeOf = (line: string): number | undefined => {
  const [, month, day, year, hour, minute, second, millis = ".000"] = stampPattern.exec(line) ?? []
  return month === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${millis}Z`)
}

/** Moves the time of a line. */
export const shifted = (line: string, byMs: number): string => {
  const at = timeOf(line)
  if (at === undefined) return line
  return line.replace(stampPattern, (stamp) => stampOf(at + byMs).slice(0, stamp.length))
}

export const stampOf = (at: number): string => {
  const [year = "", month = "", day = "", time = ""] = new Date(at).toISOString().split(/[-TZ]/)
  return `${month}/${day}/${year} - ${time}`
}
