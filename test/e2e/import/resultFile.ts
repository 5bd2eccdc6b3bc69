/** Matches in the format of a results file, for tests. Everything in a match follows from its number. */

const roster = (team: number) => Array.from({ length: 5 }, (_, player) => `${["ash", "birch", "cedar", "elm", "fir"][player]}${team}`)

const line = (name: string, index: number) => ({
  name,
  kd: `${14 + index}-${12 + index}`,
  adr: `${70 + index}.5`,
  kast: "75.0%",
  rating: "1.05",
})

/** Returns a match of one map with ten player lines. There are twenty teams, each with a fixed roster. */
export const result = (index: number) => {
  const [one, two] = [index % 20, (index + 1 + (index % 7)) % 20]
  const [name1, name2] = [`Grove ${one}`, `Grove ${two}`]
  return {
    "match-id": 2_000_000 + index,
    url: "",
    event: `Arbor Cup ${Math.floor(index / 40)}`,
    team1: name1,
    team2: name2,
    "team1-id": 100 + one,
    "team2-id": 100 + two,
    team1score: 1,
    team2score: 0,
    date: Date.UTC(2026, 0, 31) - index * 6 * 3_600_000,
    format: "Best of 1 (LAN)",
    stage: "Group A",
    veto: [`1. ${name1} removed Nuke`, `2. ${name2} picked Mirage`, "3. Ancient was left over"],
    maps: [
      {
        map: "Mirage",
        team1: { name: name1, score: "16", status: "won" },
        team2: { name: name2, score: "13", status: "lost" },
        half_scores: "(7:5; 5:7) (4:1)",
        status: "played",
        players: { team1: roster(one).map(line), team2: roster(two).map(line) },
      },
    ],
  }
}
