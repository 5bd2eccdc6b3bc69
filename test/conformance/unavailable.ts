/**
 * Which fields of the scoreboard each kind of feed leaves null at some time in the middle of a match or at its end, over the recorded
 * files; nothing else may be null. Data only.
 */
const people = ["players.armor", "players.helmet", "players.money", "players.weapon"]
const teams = ["teams.equipmentValue", "teams.money"]

export const unavailableByFormat: Readonly<Record<string, ReadonlyArray<string>>> = {
  /** One match has no economy for two players, and no analysis says what somebody holds before he uses it. */
  "cs-demo-analyzer match": people,
  /** Buys are told, money only at a round's start; a sample is seen before its first round has ended. */
  "CS2 server log": ["players.armor", "players.helmet", "players.kast", "players.rating", "players.weapon", ...teams],
  /** Knows lives and kills, and nothing of equipment; smoke was not told in 2015. */
  "scorebot capture": ["lastEvent.throughSmoke", ...people, ...teams, "teams.timeoutsRemaining"],
  /** An observer tells everything of everybody; a player's own view tells of himself. */
  "Game State Integration posts": [...people, ...teams],
  /** A simulated match: its feed tells everything, and its backup no rounds and no players. */
  backup: [],
}
