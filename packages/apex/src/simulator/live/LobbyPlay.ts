import type { MatchId } from "@matchpoint/domain/ids"
import { Play } from "@matchpoint/simulator/Play"
import type { ReportedEvent } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import type { Game, LobbyState } from "../../rules/live/state.ts"

export class LobbyPlay extends Play<LobbyState, ReportedEvent> {
  constructor(matchId: MatchId) {
    super(matchId, fold)
  }

  get game(): Game {
    if (this.live.game === null) throw new Error("no game is in progress")
    return this.live.game
  }
}
