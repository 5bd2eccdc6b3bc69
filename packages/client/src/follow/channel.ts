/** URLs and settings of a stream, from the caller's options. Pure. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/roomNames"
import { type ChannelGame, socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { gameNamePattern, matchIdPattern } from "@matchpoint/domain/idPatterns"
import type { GameName, MatchId } from "@matchpoint/domain/ids"
import { defaults, type LiveOptions } from "../ClientOptions.ts"
import { hasWebSocket, NO_WEB_SOCKET, type OpenWebSocket } from "../openWebSocket.ts"
import type { FollowSettings, Known } from "./FollowState.ts"
import type { LiveFailure } from "./LiveFailure.ts"

/** Without a trailing slash. */
export const apiRootOf = (baseUrl: string): string => originOf(baseUrl) + API_ROOT

/** Without the path of the API, without a trailing slash. */
export const originOf = (baseUrl: string): string => baseUrl.replace(/\/+$/, "").replace(new RegExp(`${API_ROOT}$`), "")

/** Undefined means every game. Throws if the name is malformed. */
export const followedGame = (game: string | undefined): ChannelGame => {
  if (game !== undefined && !gameNamePattern.test(game)) throw new Error(`${JSON.stringify(game)} is not the name of a game`)
  return game as GameName | undefined
}

export const isMatchOf = (game: ChannelGame, id: string): id is MatchId =>
  matchIdPattern.test(id) && (game === undefined || id.startsWith(`${game}-match-`))

export const invalidId = (game: ChannelGame, id: string): LiveFailure => ({
  reason: "MatchNotFound",
  message: `${id} is not a match id: match ids are ${game ?? "<game>"}-match-<n>`,
  room: `match:${id}`,
})

/** Why these options can never work, or undefined if they can. */
export const unsupported = (
  open: OpenWebSocket | undefined,
  matchId: MatchId | undefined,
  transport: LiveOptions<Shape>["transport"],
): LiveFailure | undefined =>
  transport === "sse" || hasWebSocket(open)
    ? undefined
    : { reason: "NoWebSocket", message: NO_WEB_SOCKET, room: matchId === undefined ? ALL : matchRoom(matchId) }

type ChannelOptions = Pick<LiveOptions<Shape>, "shape" | "maxRateMs" | "slow" | "flush">

/** URL of the WebSocket, and path of the event stream below the API root. Neither contains the API key. */
export const addressesOf = (apiRoot: string, game: ChannelGame, matchId: MatchId | undefined, options: ChannelOptions) => {
  const query = new URLSearchParams({ shape: options.shape ?? "v2" })
  for (const name of ["maxRateMs", "slow", "flush"] as const) if (options[name] !== undefined) query.set(name, String(options[name]))
  const socketUrl = new URL(`${apiRoot.replace(/^http/, "ws")}${socketPathOf(game)}?${query}`)
  if (matchId !== undefined) query.set("matchId", matchId)
  return { socketUrl, streamPath: `${streamPathOf(game)}?${query}` }
}

export type RoomSettings = Omit<FollowSettings, "canSend" | "canFallBack">

export const settingsOf = <S extends Shape, G extends string>(matchId: MatchId | undefined, live: LiveOptions<S, G>): RoomSettings => ({
  matchId,
  shape: live.shape ?? "v2",
  maxRateMs: live.maxRateMs,
  endWithMatch: live.endWithMatch ?? true,
  baseDelayMs: defaults.baseDelayMs,
  maxDelayMs: defaults.maxDelayMs,
  maxAttempts: live.maxAttempts ?? Number.POSITIVE_INFINITY,
})

export interface StartingPoint {
  readonly cursor: FullCursor | undefined
  readonly known: ReadonlyArray<Known>
}

export const startingPointOf = <S extends Shape, G extends string>({ resume }: LiveOptions<S, G>): StartingPoint => ({
  cursor: resume?.cursor,
  known: [...(resume?.matches ?? [])].map(({ epoch, match, matchId, position, seq }) => ({
    matchId,
    epoch,
    seq,
    position,
    document: { ...match },
  })),
})
