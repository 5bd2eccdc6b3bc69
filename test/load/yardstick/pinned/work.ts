/** The two parts of the yardstick that need one thread only. Each returns a number that depends on all of its results. */
import { EVENTS, events } from "./events.ts"
import { begin, fold, type State } from "./fold.ts"

const MATCHES = 40

const matches = Array.from({ length: MATCHES }, (_, index) => events(index + 1))

export const FOLDED = MATCHES * EVENTS

/** Folds every event of 40 matches. */
export const foldAll = (): number => {
  let sum = 0
  for (const match of matches) {
    let state = begin
    for (const event of match) state = fold(state, event)
    sum += state.seq + state.players.reduce((total, { damage, kills }) => total + damage + kills, 0)
  }
  return sum
}

export const DOCUMENTS = 2_000

/** The states of one match, at equal distances. */
const states = ((): ReadonlyArray<State> => {
  const all: Array<State> = []
  let state = begin
  for (const event of matches[0] ?? []) {
    state = fold(state, event)
    all.push(state)
  }
  return all.filter((_, index) => index % 20 === 0)
})()

/** Writes 2,000 states as JSON, and reads each again. Returns the sum of their lengths and sequences. */
export const writeAndRead = (): number => {
  let sum = 0
  for (let index = 0; index < DOCUMENTS; index++) {
    const text = JSON.stringify(states[index % states.length])
    const state: State = JSON.parse(text)
    sum += text.length + state.seq
  }
  return sum
}
