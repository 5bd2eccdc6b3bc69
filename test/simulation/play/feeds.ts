/** Plays a match of the simulator into FEED at its own pace, with the errors that real feeds make. */
import type { EventLog } from "@matchpoint/bus/EventLog"
import { encodeAnnouncement } from "@matchpoint/contracts/bus/feed"
import { directorySubject, feedMessageId, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { type TimedFact, toFeedEvent } from "@matchpoint/cs2/simulator/timedFact"
import { factId } from "@matchpoint/domain/ids"
import type { Random } from "@matchpoint/simulator/random"
import type { RegisteredMatch } from "@matchpoint/store/live/Matches"
import { Clock, Effect, Schedule } from "effect"
import type { MatchPlan } from "./Plot.ts"

type Log = EventLog["Service"]

interface Due {
  readonly atMs: number
  readonly fact: TimedFact
  readonly source: "main" | "backup"
}

const again = { schedule: Schedule.spaced("300 millis"), times: 1_000 } as const

export interface FeedOptions {
  readonly log: Log
  readonly plan: MatchPlan
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Reports nothing later than this after the start, ms. */
  readonly endsMs: number
  readonly random: Random
  /** Called before the match is announced. */
  readonly onBegin: () => void
  /** Called after each report that FEED has. */
  readonly onReport: () => void
}

export const playFeed = Effect.fnUntraced(function* ({ endsMs, log, onBegin, onReport, plan, random, startedAt }: FeedOptions) {
  const { matchId } = plan
  const wait = (atMs: number) => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, startedAt + atMs - now)))
  yield* wait(plan.beginsAtMs)
  onBegin()
  yield* log.append(directorySubject(matchId), matchId, encodeAnnouncement({ matchId, announcedAt: startedAt })).pipe(Effect.retry(again))
  for (const due of scheduleOf(plan, endsMs, random)) {
    yield* wait(due.atMs)
    const now = yield* Clock.currentTimeMillis
    const event = eventOf(due, startedAt + due.fact.offsetMs + plan.beginsAtMs, now)
    const append = log.append(feedSubject(matchId), feedMessageId(matchId, event.id), encodeFeedEvent(event)).pipe(Effect.retry(again))
    yield* append
    onReport()
    if (random.chance(plan.repeated)) yield* append
  }
})

/** Returns the first fact of a match, as the register has it. */
export const createdFact = ({ beginsAtMs, matchId, seed }: MatchPlan, startedAt: number): RegisteredMatch["config"] => {
  const [fact] = simulateMatch({ seed, matchId, bestOf: 1 })
  if (fact === undefined) return null
  const at = startedAt + beginsAtMs
  return JSON.parse(text.decode(encodeFeedEvent(toFeedEvent(fact, { observedAt: at, receivedAt: at }))))
}

const text = new TextDecoder()

const eventOf = ({ fact, source }: Due, observedAt: number, receivedAt: number): FeedEvent => {
  const event = toFeedEvent(fact, { observedAt: Math.min(observedAt, receivedAt), receivedAt })
  return source === "main" ? event : { ...event, source, id: factId(`backup:${event.id}`) }
}

const scheduleOf = (plan: MatchPlan, endsMs: number, random: Random): ReadonlyArray<Due> => {
  const dues: Array<Due> = []
  for (const fact of simulateMatch({ seed: plan.seed, matchId: plan.matchId, bestOf: 1 })) {
    const atMs = plan.beginsAtMs + Math.round(fact.offsetMs)
    if (atMs > endsMs) break
    const isDetail = fact.type === "PlayerHurt" || fact.type === "PlayersReported"
    if (isDetail && random.chance(plan.thinned)) continue
    const { quiet } = plan
    const late = random.chance(plan.displaced) ? random.int(50, 1_500) : 0
    if (quiet === undefined || atMs < quiet.fromMs || atMs > quiet.toMs) dues.push({ atMs: atMs + late, fact, source: "main" })
    else if (!isDetail) dues.push({ atMs: atMs + late, fact, source: "backup" })
  }
  return dues.sort((a, b) => a.atMs - b.atMs)
}
