/**
 * The sample responses of the Call of Duty League in section 2 of the specification, transcribed: names, types and nesting
 * of their fields. Data only. `text?` may be null. A list has the model of its rows as its only element.
 */
export type Sample = "boolean" | "number" | "number?" | "text" | "text?" | readonly [Sample] | { readonly [field: string]: Sample }

const team = { slug: "text", name: "text" } as const
const scored = { ...team, score: "number?" } as const
const record = { wins: "number", losses: "number", winPct: "number?" } as const
const pagination = {
  limit: "number",
  offset: "number",
  page: "number",
  totalPages: "number",
  hasMore: "boolean",
  nextPage: "number?",
  nextOffset: "number?",
} as const

const standings = {
  success: "boolean",
  count: "number",
  season: "number",
  data: [
    {
      rank: "number",
      orgSlug: "text",
      teamName: "text",
      teamLogo: "text?",
      cdlPoints: "number?",
      matchRecord: record,
      mapRecord: record,
    },
  ],
} as const

const schedule = {
  success: "boolean",
  data: [{ matchId: "text", date: "text", team1: team, team2: team, tournament: "text", round: "text?", broadcasted: "boolean" }],
} as const

const item = {
  id: "text",
  matchId: "text",
  bpMatchId: "text?",
  round: "text?",
  status: "text",
  startsAt: "text",
  tournament: { tournamentId: "text", name: "text" },
  team1: scored,
  team2: scored,
  winnerSlug: "text?",
} as const
const list = { success: "boolean", count: "number", total: "number", pagination, data: [item] } as const

const both = { player1: "number?", player2: "number?" } as const
const clutches = { attempts: "number", wins: "number", winPct: "number?" } as const

/** Sample by path. Live matches have a test of their own. */
export const codSamples: Readonly<Record<string, Sample>> = {
  "/cdl/standings": standings,
  "/standings": standings,
  "/cdl/schedule": schedule,
  "/schedule": schedule,
  "/matches": list,
  "/matches/recent": list,
  "/matches/upcoming": {
    ...list,
    data: [{ ...item, bestOf: "number", tournament: { ...item.tournament, season: "number" } }],
  },
  "/matches/{id}": {
    success: "boolean",
    data: {
      id: "text",
      matchId: "text",
      round: "text?",
      team1: { ...team, logoUrl: "text?" },
      team2: { ...team, logoUrl: "text?" },
      team1Score: "number",
      team2Score: "number",
      winnerSlug: "text",
      matchDate: "text",
      status: "text",
      tournament: { name: "text", id: "text" },
      maps: [
        {
          mapNumber: "number",
          mapName: "text",
          mapImageUrl: "text?",
          gameMode: "text",
          team1Score: "number?",
          team2Score: "number?",
          played: "boolean",
          pickedBy: "text?",
        },
      ],
      playerStats: [{}],
    },
  },
  "/matches/{id}/maps": {
    success: "boolean",
    data: [
      {
        mapNumber: "number",
        mapName: "text",
        gameMode: "text",
        team1Score: "number",
        team2Score: "number",
        winner: "text",
        duration: "text",
      },
    ],
  },
  "/matches/{id}/maps/{mapNumber}/player-stats": {
    success: "boolean",
    data: {
      map: { mapNumber: "number", mapName: "text", gameMode: "text" },
      players: [
        {
          ign: "text",
          team: "text",
          kills: "number",
          deaths: "number",
          kd: "number",
          damage: "number",
          hillTime: "number?",
          engagements: "number?",
        },
      ],
    },
  },
  "/matches/{id}/player-stats": {
    success: "boolean",
    data: {
      match: { matchId: "text", bpMatchId: "text?", status: "text", round: "text?", matchDate: "text" },
      teams: { team1: team, team2: team },
      score: { team1: "number", team2: "number", formatted: "text" },
      winnerSlug: "text",
      source: "text",
      count: "number",
      players: [
        {
          playerName: "text",
          teamSlug: "text",
          mapsPlayed: "number",
          kills: "number",
          deaths: "number",
          assists: "number?",
          kd: "number",
          damage: "number?",
          hillTime: "number?",
          firstBloods: "number?",
          plants: "number?",
          defuses: "number?",
          highestStreak: "number?",
          ratings: { overall: "number?" },
          maps: [{ mapNumber: "number", mapName: "text", gameMode: "text", kills: "number", deaths: "number", damage: "number?" }],
        },
      ],
    },
  },
  "/leaderboards/earnings": {
    success: "boolean",
    data: [
      {
        rank: "number",
        player: { codPlayerId: "text", ign: "text", team: "text?", imageUrl: "text?" },
        totalEarnings: "number",
        tournamentsWon: "number",
      },
    ],
  },
  "/leaderboards/{mode}": {
    success: "boolean",
    mode: "text",
    stat: "text",
    season: "number",
    data: [{ rank: "number", player: { ign: "text", team: "text?" }, value: "number", mapsPlayed: "number" }],
  },
  "/search": {
    success: "boolean",
    query: "text",
    results: {
      players: [{ codPlayerId: "text", ign: "text", realName: "text?", team: "text?", imageUrl: "text?", matchScore: "number" }],
      teams: [{ ...team, logoUrl: "text?", matchScore: "number" }],
      tournaments: [{}],
    },
  },
  "/analytics/players/{id}/trends": {
    success: "boolean",
    player: "text",
    stat: "text",
    period: "text",
    data: [{ label: "text", value: "number", date: "text?" }],
    average: "number",
    trend: "text",
  },
  "/analytics/players/{id}/clutch-factor": {
    success: "boolean",
    clutchFactor: {
      overall: "number",
      rank: "number",
      breakdown: { "1v1": clutches, "1v2": clutches, "1v3": clutches },
      firstBloods: { total: "number", perRound: "number", rank: "number" },
      tradedDeaths: { rate: "number", rank: "number" },
    },
  },
  "/analytics/head-to-head": {
    success: "boolean",
    player1: { ign: "text", team: "text?" },
    player2: { ign: "text", team: "text?" },
    matchesPlayed: "number",
    headToHead: { player1Wins: "number", player2Wins: "number" },
    stats: { kd: both, damagePer10: both, killsPer10: both },
  },
  "/analytics/compare": {
    success: "boolean",
    players: [{ ign: "text", team: "text?", stats: { kd: "number", damage: "number", kills: "number" } }],
  },
  "/analytics/teams/{slug}/style": {
    success: "boolean",
    team: "text",
    playstyle: {
      aggression: "number",
      rotationSpeed: "number",
      mapControl: "number",
      slayingPower: "number",
      objectivePlay: "number",
    },
    tendencies: { preferredMaps: ["text"], strongestMode: "text", weakestMode: "text" },
  },
  "/analytics/teams/head-to-head": {
    success: "boolean",
    team1: team,
    team2: team,
    allTime: { team1Wins: "number", team2Wins: "number", mapRecord: { team1: "number", team2: "number" } },
    currentSeason: { team1Wins: "number", team2Wins: "number", lastMatch: { date: "text", winner: "text", score: "text" } },
  },
  "/analytics/teams/map-comparison": { success: "boolean" },
  "/analytics/leaderboard/{stat}": {
    success: "boolean",
    stat: "text",
    data: [{ rank: "number", player: "text", team: "text?", value: "number" }],
  },
}

/** Returns what is wrong with a response, as paths. A list must have a row. Fields beyond the sample are allowed. */
export const deviations = (sample: Sample, value: unknown, path = "$"): ReadonlyArray<string> => {
  if (typeof sample === "string") {
    const type = sample.replace("?", "")
    const isRight = sample.endsWith("?") && value === null ? true : typeof value === (type === "text" ? "string" : type)
    return isRight ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`]
  }
  if (isList(sample)) {
    if (!Array.isArray(value) || value.length === 0) return [`${path} is no list with rows`]
    return value.flatMap((row, index) => deviations(sample[0], row, `${path}[${index}]`))
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${path} is no object`]
  const fields = value as Readonly<Record<string, unknown>>
  return Object.entries(sample).flatMap(([field, model]) =>
    field in fields ? deviations(model, fields[field], `${path}.${field}`) : [`${path}.${field} is missing`],
  )
}

const isList = (sample: Sample): sample is readonly [Sample] => Array.isArray(sample)
