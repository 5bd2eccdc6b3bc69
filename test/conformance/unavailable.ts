/**
 * Which fields of the scoreboard each kind of feed leaves null at some time once the first round of a map is over, in the recorded files;
 * nothing else may be null. Data only.
 */
const people = ["players.armor", "players.helmet", "players.money", "players.weapon"]
const teams = ["teams.equipmentValue", "teams.money"]

export const unavailableByFormat: Readonly<Record<string, ReadonlyArray<string>>> = {
  /** One match has no economy for two players, and no analysis says what somebody holds before he uses it. */
  "cs-demo-analyzer match": people,
  /** Buys are told, armor and money only when they change; older servers don't write of smoke. */
  "CS2 server log": ["lastEvent.throughSmoke", ...people, ...teams],
  /** Knows lives and kills and nothing of equipment, not where a bomb lies; smoke was not told in 2015. */
  "scorebot capture": ["game.bomb.site", "lastEvent.throughSmoke", ...people, ...teams, "teams.timeoutsRemaining"],
  /** An observer tells everything of everybody; a player's own view tells of himself, and that there is a bomb. */
  "Game State Integration posts": ["game.bomb.playerId", "game.bomb.site", ...people, ...teams],
  /** A simulated match: its feed tells everything, and its backup the score and the map. */
  backup: [
    "game.bomb",
    "game.clockSeconds",
    "lastEvent",
    "players",
    "teams.playersAlive",
    "teams.side",
    "teams.timeoutsRemaining",
    ...teams,
  ],
}
