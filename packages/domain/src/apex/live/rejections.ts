/** Reasons why an event of a lobby is rejected. */

export const rejectionCodes = [
  "observed_in_future",
  "match_not_created",
  "match_exists",
  "wrong_match",
  "duplicate",
  "backup_standby",
  "match_not_started",
  "match_over",
  "suspended",
  "not_suspended",
  "game_in_progress",
  "game_cancelled",
  "late_fact",
  "early_fact",
  "unknown_player",
  "wrong_teams",
  "wrong_legends",
  "wrong_attacker",
  "wrong_helper",
  "wrong_placement",
  "wrong_results",
  "player_dead",
  "player_not_alive",
  "player_not_knocked",
  "player_not_dead",
  "team_out",
  "teams_left",
  "not_decided",
  "outdated",
  "invariant",
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

export interface Rejection {
  readonly code: RejectionCode
  /** Message for the sender that states the problem and what was expected. */
  readonly message: string
}

export const reject = (code: RejectionCode, message: string): Rejection => ({ code, message })
