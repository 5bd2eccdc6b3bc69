import { ValidationError } from "@matchpoint/contracts/http/errors"
import { one, reading } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { type Meeting, TennisHeadToHeads } from "../../archive/h2h/TennisHeadToHeads.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { countMeetings, matrixOf } from "../../rules/archive/headToHead.ts"
import { currentPlayers } from "./currentPlayers.ts"
import { recordFilterOf, sinceDay } from "./matchHistory.ts"
import { playerNotFound } from "./playersHandlers.ts"

export const TennisHeadToHeadHandlers = endpointGroup(
  TennisApi,
  "tennis-h2h",
  Effect.fn(function* (handlers) {
    const headToHeads = yield* TennisHeadToHeads
    const forCurrent = yield* currentPlayers

    return handlers.handleAll({
      pair: forCurrent(
        reading(function* ({ query }) {
          const { player1_id: id1, player2_id: id2 } = query
          if (id1 === id2) {
            return yield* ValidationError.because("player2_id must be another player than player1_id", { parameter: "player2_id" })
          }
          const filter = yield* recordFilterOf(query)
          const players = yield* headToHeads.players([id1, id2], filter.since)
          const [player1, player2] = [id1, id2].map((id) => players.find((player) => player.id === id))
          if (player1 === undefined || player2 === undefined) return yield* playerNotFound(player1 === undefined ? id1 : id2)
          const meetings = yield* headToHeads.meetings(id1, id2, filter)
          return one({ player1, player2, ...countMeetings(id1, meetings.map(meetingOf)), meetings: meetings.map(({ match }) => match) })
        }),
      ),
      matrix: forCurrent(
        reading(function* ({ query: { player_ids: ids } }) {
          const start = yield* sinceDay
          const players = yield* headToHeads.players(ids, start)
          const found = players.map(({ id }) => id)
          const { pairs, totals } = matrixOf(found, yield* headToHeads.wins(found, start))
          const data = { players: players.map((player, index) => ({ ...player, ...(totals[index] ?? { wins: 0, losses: 0 }) })), pairs }
          return { success: true as const, data, meta: { count: players.length, missing: ids.filter((id) => !found.includes(id)) } }
        }),
      ),
    })
  }),
)

const meetingOf = ({ isFinal, match: { circuit, date, status, tournament, winner } }: Meeting) => ({
  winnerId: winner.id,
  year: Number(date.slice(0, 4)),
  surface: tournament.surface,
  level: tournament.level,
  circuit,
  isFinal,
  status,
})
