/** Leaderboards that the pages offer: sums by mode, prize money, and those of the analytics. */

export type Board =
  | { readonly kind: "mode"; readonly mode: string; readonly stat: string }
  | { readonly kind: "earnings" }
  | { readonly kind: "analytics"; readonly stat: string }

interface NamedBoard {
  /** Value in the address of the page. */
  readonly id: string
  readonly title: string
  readonly board: Board
}

const statNames = { kd: "K/D", kills: "kills", damage: "damage", hillTime: "hill time", firstBloods: "first bloods" }
type Stat = keyof typeof statNames

const modes: ReadonlyArray<readonly [mode: string, name: string, stats: ReadonlyArray<Stat>]> = [
  ["overall", "All modes", ["kd", "kills", "damage", "hillTime", "firstBloods"]],
  ["hardpoint", "Hardpoint", ["kd", "kills", "damage", "hillTime"]],
  ["snd", "Search and Destroy", ["kd", "kills", "damage", "firstBloods"]],
  ["control", "Control", ["kd", "kills", "damage"]],
  ["overload", "Overload", ["kd", "kills", "damage"]],
]

const analyticsBoards: ReadonlyArray<readonly [stat: string, title: string]> = [
  ["clutch_factor", "Clutch factor"],
  ["first_blood_rate", "First blood rate"],
  ["trade_efficiency", "Trade efficiency"],
  ["slaying", "Slaying"],
]

const modeBoard = (mode: string, name: string, stat: Stat): NamedBoard => ({
  id: `${mode}-${stat}`,
  title: `${name}: ${statNames[stat]}`,
  board: { kind: "mode", mode, stat },
})

export const boards: ReadonlyArray<NamedBoard> = [
  ...modes.flatMap(([mode, name, stats]) => stats.map((stat) => modeBoard(mode, name, stat))),
  { id: "earnings", title: "Prize money", board: { kind: "earnings" } },
  ...analyticsBoards.map(([stat, title]): NamedBoard => ({ id: stat, title, board: { kind: "analytics", stat } })),
]

const usual = modeBoard("overall", "All modes", "kd")

/** The default board if none has this id. */
export const boardOf = (id: string | null): NamedBoard => boards.find((one) => one.id === id) ?? usual
