/** Entry point `@matchpoint/client`: the client without Effect, for browsers and Node. */
export type { ClientOptions, LiveOptions } from "./ClientOptions.ts"
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
export type { FollowOptions } from "./plain/changes.ts"
export { type Client, createClient, type Live } from "./plain/createClient.ts"
export { LiveError } from "./plain/LiveError.ts"
export { RequestError } from "./plain/RequestError.ts"
export type { Answer, ReadRequest } from "./plain/read.ts"
export type { ReadPath, Reads } from "./reads.ts"
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from "./webhooks/verifyWebhook.ts"
export type { WebhookEvent } from "./webhooks/WebhookEvent.ts"
export { WebhookVerificationError, type WebhookVerificationReason } from "./webhooks/WebhookVerificationError.ts"
