/** Numbers that the files of cs-demo-analyzer contain. Only tests read them. */
import { Schema } from "effect"

const Count = Schema.Int

const Player = Schema.Struct({
  steamId: Schema.String,
  name: Schema.String,
  killCount: Count,
  deathCount: Count,
  assistCount: Count,
  headshotCount: Count,
  kast: Schema.Finite,
  averageDamagePerRound: Schema.Finite,
  healthDamage: Count,
  utilityDamage: Count,
  firstKillCount: Count,
  firstDeathCount: Count,
  tradeKillCount: Count,
  oneKillCount: Count,
  twoKillCount: Count,
  threeKillCount: Count,
  fourKillCount: Count,
  fiveKillCount: Count,
  hltvRating2: Schema.Finite,
  oneVsOneWonCount: Count,
  oneVsOneLostCount: Count,
  oneVsTwoWonCount: Count,
  oneVsTwoLostCount: Count,
  oneVsThreeWonCount: Count,
  oneVsThreeLostCount: Count,
  oneVsFourWonCount: Count,
  oneVsFourLostCount: Count,
  oneVsFiveWonCount: Count,
  oneVsFiveLostCount: Count,
})
export type TruePlayer = typeof Player.Type

/** Returns clutches won and lost against 1 to 5 opponents. */
export const clutchCounts = (player: TruePlayer): ReadonlyArray<readonly [won: number, lost: number]> => [
  [player.oneVsOneWonCount, player.oneVsOneLostCount],
  [player.oneVsTwoWonCount, player.oneVsTwoLostCount],
  [player.oneVsThreeWonCount, player.oneVsThreeLostCount],
  [player.oneVsFourWonCount, player.oneVsFourLostCount],
  [player.oneVsFiveWonCount, player.oneVsFiveLostCount],
]

export const Truth = Schema.Struct({
  teamA: Schema.Struct({ score: Count, scoreFirstHalf: Count, scoreSecondHalf: Count }),
  teamB: Schema.Struct({ score: Count, scoreFirstHalf: Count, scoreSecondHalf: Count }),
  players: Schema.Record(Schema.String, Player),
  clutches: Schema.Array(
    Schema.Struct({ roundNumber: Count, opponentCount: Count, hasWon: Schema.Boolean, clutcherSteamId: Schema.String }),
  ),
  playerEconomies: Schema.Array(Schema.Struct({ roundNumber: Count, steamId: Schema.String, type: Schema.String })),
  kills: Schema.Array(Schema.Struct({ roundNumber: Count, tick: Count, isTradeKill: Schema.Boolean, isTradeDeath: Schema.Boolean })),
})
export type Truth = typeof Truth.Type
