/** Entry point `@matchpoint/client/effect`: the client as an Effect service. */
export type { ConnectionOptions, LiveOptions } from "./ClientOptions.ts"
export { LiveError } from "./effect/LiveError.ts"
export { type Games, type Live, Matchpoint, type MatchpointOptions } from "./effect/Matchpoint.ts"
export type { RestClient } from "./effect/restClient.ts"
export type {
  ApexEvent,
  ApexMatch,
  ApexMatchV1,
  CodEvent,
  CodMatch,
  CodMatchV1,
  Cs2Event,
  Cs2EventV1,
  Cs2Match,
  Cs2MatchV1,
  DefaultGame,
  KnownGames,
  TennisEvent,
  TennisMatch,
  TennisMatchV1,
} from "./games.ts"
export type { EventOf, LiveChange, LiveNotice, MatchOf, Missing, ResumePoint } from "./LiveChange.ts"
export type { OpenWebSocket, WebSocketLike } from "./openWebSocket.ts"
