/** `GameRules` of a game whose two feeds report the same facts. */
import type { GameEvent, GameRules, SilenceLimits } from "@matchpoint/domain/game/GameRules"
import { FeedWatchdog } from "./FeedWatchdog.ts"
import { isReport, type ServerEvent } from "./feedEnvelope.ts"
import { historyLost } from "./historyLost.ts"
import type { SharedState } from "./MatchState.ts"
import { neverBegan } from "./neverBegan.ts"

export interface MatchRulesOptions<State extends SharedState, Report extends GameEvent>
  extends Pick<GameRules<State, Report | ServerEvent<Report>>, "game" | "stateFormat" | "fold"> {
  /** Factor of the time after which a suspended match is cancelled. */
  readonly suspendedFactor: number
}

export const matchRules = <State extends SharedState, Report extends GameEvent>({
  suspendedFactor,
  ...rules
}: MatchRulesOptions<State, Report>) => ({
  ...rules,
  // A decision of the watchdog is outdated if a report arrived at the same time.
  expectedRejections: new Set(["backup_standby", "outdated"]),
  historyLost,
  neverBegan,
  watchdog: (state: State | undefined, limits: SilenceLimits, now: number) =>
    new FeedWatchdog<State, Report | ServerEvent<Report>, Report>(state, { limits, isReport, suspendedFactor }, now),
})
