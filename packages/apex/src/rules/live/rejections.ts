import type { Rejection as RejectionOf, SharedRejectionCode } from "@matchpoint/game/rules/rejections"

export type RejectionCode =
  | SharedRejectionCode
  | "game_in_progress"
  | "game_cancelled"
  | "early_fact"
  | "unknown_player"
  | "wrong_teams"
  | "wrong_legends"
  | "wrong_attacker"
  | "wrong_helper"
  | "wrong_placement"
  | "wrong_results"
  | "player_dead"
  | "player_not_alive"
  | "player_not_knocked"
  | "player_not_dead"
  | "team_out"
  | "teams_left"
  | "not_decided"

export type Rejection = RejectionOf<RejectionCode>
