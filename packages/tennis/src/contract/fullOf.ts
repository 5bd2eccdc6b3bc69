/**
 * Converts a tennis match from message format v2 to v1: absent fields become null, and sets become an array. Has no side
 * effects.
 */
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import type { Layout } from "@matchpoint/contracts/stream/compact/mergePatch"
import { CompactTennisMatch } from "./CompactTennisMatch.ts"
import type { LiveTennisMatch } from "./LiveTennisMatch.ts"

const keysOf = (schema: { readonly fields: object }): ReadonlyArray<string> => Object.keys(schema.fields)
const { sets, game, tournament } = CompactTennisMatch.fields

/** Key order of the v2 document. */
export const layout: Layout = {
  keys: keysOf(CompactTennisMatch),
  fields: {
    tournament: { keys: keysOf(tournament) },
    sets: { each: { keys: keysOf(sets.value), fields: { tie_break: { keys: ["side1", "side2"] } } } },
    game: { keys: keysOf(game.schema), fields: { stakes: { keys: ["side1", "side2"] } } },
    silence: { keys: ["status", "since"] },
  },
}

export const fullOf = ({ document, observedAt }: LiveState<CompactTennisMatch>): LiveTennisMatch => ({
  id: document.id,
  status: document.status,
  source: document.source,
  silence: document.silence ?? null,
  tour: document.tour,
  tournament: {
    id: document.tournament.id ?? null,
    name: document.tournament.name,
    surface: document.tournament.surface ?? null,
    level: document.tournament.level ?? null,
    draw_size: document.tournament.draw_size ?? null,
    round: document.tournament.round ?? null,
  },
  format: document.format,
  side1: sideOf(document.side1),
  side2: sideOf(document.side2),
  sets: Object.entries(document.sets).map(([number, set]) => ({
    set: Number(number),
    side1: set.side1,
    side2: set.side2,
    tie_break: set.tie_break ?? null,
    winner: set.winner ?? null,
    ended_at: set.ended_at ?? null,
  })),
  game: document.game === undefined ? null : { ...document.game, stakes: stakesOf(document.game) },
  momentum: document.momentum,
  statistics: document.statistics,
  suspended_at: document.suspended_at ?? null,
  winner: document.winner ?? null,
  end_reason: document.end_reason ?? null,
  score: document.score ?? null,
  started_at: document.started_at ?? null,
  ended_at: document.ended_at ?? null,
  updated_at: observedAt,
})

const sideOf = ({ players, sets_won }: CompactTennisMatch["side1"]): LiveTennisMatch["side1"] => ({
  players: players.map(({ id, name }) => ({ id: id ?? null, name })),
  sets_won,
})

const stakesOf = ({ stakes }: NonNullable<CompactTennisMatch["game"]>) => ({ side1: stakes.side1 ?? null, side2: stakes.side2 ?? null })
