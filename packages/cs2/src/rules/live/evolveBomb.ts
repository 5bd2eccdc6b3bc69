/** The bomb of a round: its carrier, where it was planted, and how it ended. */
import type { FeedEvent } from "./feedEvents.ts"
import { type Bomb, clockSecondsAt, type LastEvent, type MatchState } from "./state.ts"

type BombEvent = Extract<FeedEvent, { readonly type: `Bomb${string}` }>

export const evolveBomb = (state: MatchState, event: BombEvent): MatchState => {
  const round = state.round
  if (round === null) return state
  const bomb = nextBomb(round.bomb, event, state.rules.bombSeconds)
  const planted = event.type === "BombPlanted"
  const over = event.type === "BombDefused" || event.type === "BombExploded"
  const next = {
    ...round,
    bomb,
    // While the bomb is planted, the round clock shows the time until it explodes.
    clockEndsAt: planted ? bomb.explodesAt : over ? null : round.clockEndsAt,
    clockStoppedAt: planted ? null : over ? 0 : round.clockStoppedAt,
  }
  const isNotable = planted || over
  return { ...state, round: next, lastEvent: isNotable ? lastBombEvent(event, clockSecondsAt(next, event.observedAt)) : state.lastEvent }
}

const nextBomb = (bomb: Bomb | null, event: BombEvent, bombSeconds: number): Bomb => {
  const before: Bomb = bomb ?? { state: "carried", playerId: null, site: null, plantedAt: null, explodesAt: null }
  switch (event.type) {
    case "BombPickedUp":
      return { ...before, state: "carried", playerId: event.payload.playerId }
    case "BombDropped":
      return { ...before, state: "dropped", playerId: null }
    case "BombPlanted":
      return {
        state: "planted",
        playerId: event.payload.playerId,
        site: event.payload.site,
        plantedAt: event.observedAt,
        explodesAt: event.observedAt + bombSeconds * 1000,
      }
    case "BombDefuseStarted":
      return { ...before, state: "defusing", playerId: event.payload.playerId }
    case "BombDefused":
      return { ...before, state: "defused", playerId: event.payload.playerId, explodesAt: null }
    case "BombExploded":
      return { ...before, state: "exploded", explodesAt: null }
  }
}

const lastBombEvent = (event: BombEvent, clockSeconds: number | null): LastEvent => ({
  id: event.id,
  type: event.type,
  round: event.payload.round,
  clockSeconds,
  killerPlayerId: null,
  victimPlayerId: null,
  weapon: null,
  headshot: null,
  throughSmoke: null,
})
