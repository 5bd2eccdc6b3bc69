/** Example of each error by schema name, created by the functions with which the server creates it. */
import { API_ROOT } from "../apiRoot.ts"
import { MAX_BODY_BYTES } from "../BodyRules.ts"
import * as errors from "../errors.ts"
import type { ErrorEnvelope } from "../problem.ts"
import * as qrErrors from "../qr/qrErrors.ts"
import { MAX_QR_BODY_BYTES } from "../qr/qrLimits.ts"

const NOVEMBER_ENDS = Date.UTC(2026, 11, 1)
const DAY_MS = 86_400_000
const announcement = {
  on: "2026-11-25",
  game: "valorant",
  example: { path: `${API_ROOT}/valorant/matches/live`, body: { success: true, data: [], meta: {} } },
}

/** The QR section's format: a message without a code. */
export interface MessageBody {
  readonly success: false
  readonly error: string
}

export const isCoded = (body: ErrorEnvelope | MessageBody): body is ErrorEnvelope => typeof body.error !== "string"

/** Undefined if the error is not part of the public API. */
export const exampleOf = (name: string): ErrorEnvelope | MessageBody | undefined => {
  const made = examples[name]
  if (made === undefined) return undefined
  return isCoded(made) ? { success: false, error: made.error } : { success: false, error: made.error }
}

const examples: Readonly<Record<string, ErrorEnvelope | MessageBody>> = {
  ValidationError: errors.ValidationError.because("the request's query does not match the contract", {
    issue: 'Expected "v1" | "v2", got "v3"\n  at ["shape"]',
  }),
  InvalidApiKey: errors.InvalidApiKey.because("the request has no API key; send yours in the header x-api-key or as a bearer token"),
  PlanRequired: errors.PlanRequired.of("live-websockets", "starter"),
  GameNotIncluded: errors.GameNotIncluded.of("cs2", "tennis", "starter"),
  HistoryLimit: errors.HistoryLimit.of("free", NOVEMBER_ENDS - 60 * DAY_MS, NOVEMBER_ENDS),
  NotFound: errors.NotFound.of("your account has no such stream"),
  NotCovered: errors.NotCovered.of("circuit", "doubles", ["atp", "wta"]),
  UnknownValue: errors.UnknownValue.of("surface", "Ice", ["Carpet", "Clay", "Grass", "Hard"]),
  MatchNotFound: errors.MatchNotFound.of("cs2-match-1001"),
  Conflict: errors.Conflict.because("an account may have at most 50 webhooks; delete one first"),
  PayloadTooLarge: errors.PayloadTooLarge.limit(MAX_BODY_BYTES),
  UpgradeRequired: errors.UpgradeRequired.because("this is a WebSocket: connect with wss:// or ws://"),
  RateLimitExceeded: errors.RateLimitExceeded.of("pro", 25, 1),
  QuotaExceeded: errors.QuotaExceeded.of("free", 500, NOVEMBER_ENDS, NOVEMBER_ENDS - 9 * DAY_MS),
  TooManyConnections: errors.TooManyConnections.of("free"),
  TooManyHandshakes: errors.TooManyHandshakes.from(50),
  TooManyReplays: errors.TooManyReplays.of("free"),
  InternalError: errors.InternalError.hidden(),
  NotYetAvailable: errors.NotYetAvailable.of(announcement, `${API_ROOT}/valorant/teams/{id}`),
  VideoRejected: errors.VideoRejected.because("video_too_long", "the video is longer than 180 seconds, the limit of plan free"),
  TooManyTranscripts: errors.TooManyTranscripts.of("free", 2),
  TranscriptionUnavailable: errors.TranscriptionUnavailable.because("queue_full", "too many transcripts are waiting; try again", 60),
  ServiceUnavailable: errors.ServiceUnavailable.because("API keys cannot be checked at the moment; try again"),
  QrInvalid: qrErrors.QrInvalid.because(
    "the foreground #ffff00 on the background #ffffff has a contrast of 1.1; use a darker foreground or a lighter background, with a contrast of at least 3",
  ),
  QrTooLarge: qrErrors.QrTooLarge.limit(MAX_QR_BODY_BYTES),
  QrFailed: qrErrors.QrFailed.hidden(),
  QrBusy: qrErrors.QrBusy.because("too many images are being generated; retry later"),
}
