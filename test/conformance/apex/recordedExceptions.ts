/** Ranks of recorded lobbies that the rules do not give, with the reason for each lobby. Data only. */
interface LobbyExceptions {
  readonly reason: string
  readonly ranks: ReadonlyArray<string>
}

/** The files of year 4 have no real placements, and list teams in the order of another table. */
const otherOrder = "teams with equal points are in the order of another table, which did not use the best game"

export const recordedExceptions: Readonly<Record<string, LobbyExceptions>> = {
  "year4champions/AvsB": { reason: otherOrder, ranks: ["Cloud9 10 instead of 11", "Exo Clan 11 instead of 10"] },
  "year4champions/AvsC": {
    reason: "the file ranks 14 points above 17, in its totals too",
    ranks: ["GHS Professional 20 instead of 19", "Team Burger 19 instead of 20"],
  },
  "year4champions/BvsD": {
    reason: "the stated totals of nine teams are not the sums of their games, and the ranks follow the totals",
    ranks: [
      "Alliance 6 instead of 5",
      "CRAZY RACCOON 4 instead of 8",
      "DreamFire 8 instead of 9",
      "GREEN STEGO 11 instead of 10",
      "GUILD 10 instead of 11",
      "STALLIONS 5 instead of 6",
      "VK GAMING 7 instead of 4",
      "Virtus.pro 9 instead of 7",
    ],
  },
  "year4champions/CvsD": {
    reason: "the file ranks 35 points above 36, and 29 above 30, in its totals too",
    ranks: ["ENTER FORCE.36 8 instead of 9", "GoNext 11 instead of 12", "REIGNITE 9 instead of 8", "Team Falcons 12 instead of 11"],
  },
  "year4champions/ER1": {
    reason: "the stated total of VK GAMING is 58, and the sum of its games is 56",
    ranks: ["DRAGONS 5 instead of 4", "VK GAMING 4 instead of 5"],
  },
  "year4champions/WR1": { reason: otherOrder, ranks: ["GaiminGladiators 9 instead of 8", "GoNext 8 instead of 9"] },
  "year5champions/Day1-A": {
    reason: "a copy of ewc2025/Day1-A without the teams ranked 2, 10 and 13",
    ranks: [
      "AG.AL 9 instead of 8",
      "AlQadsiahEsports 14 instead of 11",
      "EDward Gaming 19 instead of 16",
      "ENTER FORCE.36 8 instead of 7",
      "FNATIC 4 instead of 3",
      "FURIA 11 instead of 9",
      "Gen.G Esports 16 instead of 13",
      "KINOTROPE gaming 5 instead of 4",
      "MOUZ 12 instead of 10",
      "MOVISTAR KOI 18 instead of 15",
      "NAVI 7 instead of 6",
      "NOEZ FOXX 15 instead of 12",
      "NinjasInPyjamas 3 instead of 2",
      "Sentinels 17 instead of 14",
      "Wolves Esports 6 instead of 5",
      "Zero Tenacity 20 instead of 17",
    ],
  },
  "year5champions/Day1-WinnersRound1-2": {
    reason: "unknown: of three teams with 16 points, the file ranks first the one whose best game has 5 points instead of 7",
    ranks: ["BBL 15 instead of 17", "GoNext 16 instead of 15", "SVP Water 17 instead of 16"],
  },
  "year5champions/Day1-WinnersRound1-5": {
    reason: "unknown: of three teams with 27 points, the file ranks first the one whose best game has 8 points instead of 13",
    ranks: ["Activist YOTTA 11 instead of 13", "Never On Time 12 instead of 11", "ORB GARDEN 13 instead of 12"],
  },
}
