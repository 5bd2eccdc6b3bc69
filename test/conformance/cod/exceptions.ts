/** Places where the recorded files contradict themselves. The archive keeps what the files state. */

/** Maps on which a team has more kills than its opponents have deaths, with the difference. */
export const killsWithoutDeaths: Readonly<Record<string, string>> = {
  "codstats 268": "100 kills and 98 deaths: the source has lost two deaths",
  "MATCH_222526 5 Paris Gentle Mates": "26 kills and 25 deaths: the source has lost a death",
  "MATCH_214794 1 Riyadh Falcons": "82 kills and 81 deaths: the source has lost a death",
}

/** Maps whose winner does not have the score at which the mode ends. */
export const unusualScores: Readonly<Record<string, string>> = {
  "7": "hardpoint 0-1: the source states the winner only",
  "32": "hardpoint 6-5 as the fifth map: the scores are those of search and destroy, so the mode is wrong",
}

/** Maps whose lines have no kills and deaths: the source has the players only. */
export const emptyMaps: ReadonlyArray<string> = ["99", "137"]
