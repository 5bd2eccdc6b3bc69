/**
 * Source of a customer's program that uses a client generated from the OpenAPI document. It is type-checked and run
 * beside that client. A line `@ts-expect-error` fails the check if the types are not strict enough.
 */
export const customerProgram = `
import { createClient } from "./client/client/index.ts"
import { accountUsage, cs2LiveList, cs2LiveScoreboard } from "./client/sdk.gen.ts"
import type { Cs2LiveListErrors, Event, LiveMatch, Match, MatchDetail, Player, Scoreboard, Team } from "./client/types.gen.ts"

interface Settings { readonly baseUrl: string; readonly paid: string; readonly poor: string; readonly hasty: string }
declare const process: { readonly argv: ReadonlyArray<string> }
const { baseUrl, hasty, paid, poor }: Settings = JSON.parse(process.argv[2] ?? "")
const client = createClient({ baseUrl })

type TooMany = Cs2LiveListErrors[429]

/** Returns the reaction to a 429. The types alone distinguish the cases. */
const advice = ({ error }: TooMany): string => {
  if (error.code === "TOO_MANY_HANDSHAKES") return "my address"
  const { details } = error
  switch (details.limit) {
    case "requests_per_second": {
      // @ts-expect-error: only the monthly limit has an end
      void details.resetsAt
      const wait: number = details.retryAfterSeconds
      return \`\${details.limit}: wait \${wait} s, \${details.allowed} a second\`
    }
    case "requests_per_month": {
      const end: string = details.resetsAt
      return \`\${details.limit}: \${details.allowed} until \${end}\`
    }
    default: {
      const nothingElse: never = details
      return nothingElse
    }
  }
}

const isTooMany = (refusal: Cs2LiveListErrors[keyof Cs2LiveListErrors]): refusal is TooMany =>
  refusal.error.code === "RATE_LIMIT_EXCEEDED" || refusal.error.code === "TOO_MANY_HANDSHAKES"

const usedBy = async (key: string): Promise<number> => {
  const { data } = await accountUsage({ client, auth: key })
  return data?.data.requests ?? -1
}

const before = await usedBy(paid)
const { data: page } = await cs2LiveList({ client, auth: paid, query: { limit: 5 } })
const first: string | undefined = page?.data[0]?.matchId
// @ts-expect-error: rows have no such field
void page?.data[0]?.matchNumber
const live: ReadonlyArray<LiveMatch> = page?.data ?? []
const board = first === undefined ? undefined : await cs2LiveScoreboard({ client, auth: paid, path: { matchId: first } })
const score: Scoreboard | undefined = board?.data?.data
/** Models are distinct types, and nested models are named too. */
const label = (match: Match): string => \`\${match.team1Name} - \${match.team2Name}\`
const headOf = ({ teams, event }: MatchDetail): readonly [Team, Team, Event | null] => [teams.team1, teams.team2, event]
const teamOf = (player: Player): string | null => player.currentTeamId
// @ts-expect-error: a team is no player
void ((team: Team) => teamOf(team))
void [label, headOf, live, score]
const after = await usedBy(paid)

const refused = await cs2LiveList({ client, auth: poor })
const month = refused.error !== undefined && isTooMany(refused.error) ? advice(refused.error) : "no limit"

let second = "no limit"
for (let call = 0; call < 50 && second === "no limit"; call++) {
  const { error } = await cs2LiveList({ client, auth: hasty })
  if (error !== undefined && isTooMany(error)) second = advice(error)
}

const stranger = await cs2LiveList({ client, auth: "nobody" })
const code: string | undefined = stranger.error?.error.code

console.log(JSON.stringify({
  matchId: first,
  status: board?.data?.data.status,
  charged: after - before,
  month,
  monthStatus: refused.response?.status,
  second,
  code,
}))
`
