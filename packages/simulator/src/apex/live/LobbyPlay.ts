/** The lobby that is being simulated. */
import type { ReportedEvent } from "@matchpoint/domain/apex/live/feedEvents"
import { fold } from "@matchpoint/domain/apex/live/fold"
import type { Game, LobbyState } from "@matchpoint/domain/apex/live/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { Play } from "../../Play.ts"

export class LobbyPlay extends Play<LobbyState, ReportedEvent> {
  constructor(matchId: MatchId) {
    super(matchId, fold)
  }

  get game(): Game {
    if (this.live.game === null) throw new Error("no game is in progress")
    return this.live.game
  }
}
