/**
 * Fields of the scoreboard that each kind of feed leaves null at some time after the first round of a map, in the
 * recorded files. No other field may be null. Data only.
 */
const people = ["players.armor", "players.helmet", "players.money", "players.weapon"]
const teams = ["teams.equipmentValue", "teams.money"]

export const unavailableByFormat: Readonly<Record<string, ReadonlyArray<string>>> = {
  /** One match lacks the economy of two players. The analysis has no weapon of a player before its first use. */
  "cs-demo-analyzer match": people,
  /** Reports purchases, and armor and money only when they change. Older servers do not report smoke. */
  "CS2 server log": ["lastEvent.throughSmoke", ...people, ...teams],
  /** Reports lives and kills, but no equipment and no position of the bomb. In 2015 it did not report smoke. */
  "scorebot capture": ["game.bomb.site", "lastEvent.throughSmoke", ...people, ...teams, "teams.timeoutsRemaining"],
  /**
   * An observer reports everything about all players. A player's own view reports only that player, and whether there
   * is a bomb.
   */
  "Game State Integration posts": ["game.bomb.playerId", "game.bomb.site", ...people, ...teams],
  /** A simulated match: its main feed reports everything, its backup feed the score and the map. */
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
