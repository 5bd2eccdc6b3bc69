/** Fetches the audio of a post into a file. Does not decode it and does not retry. */
import type { Platform } from "@matchpoint/transcripts/Transcript"
import { Context, type Effect } from "effect"
import type {
  DownloadFailed,
  MediaInvalid,
  NoVideo,
  TranscriptionTimeout,
  TranscriptionUnavailable,
  VideoTooLarge,
  VideoTooLong,
  VideoUnavailable,
} from "../TranscribeFailure.ts"
import type { Component, TranscribeLimits } from "../Transcriber.ts"

export interface DownloadRequest {
  readonly platform: Platform
  readonly url: string
  /** Private directory of the job, for the file. */
  readonly directory: string
  readonly limits: TranscribeLimits
  /** Downloaded part, 0 to 1. */
  readonly onProgress: (fraction: number) => Effect.Effect<void>
}

export type DownloadFailure =
  | VideoUnavailable
  | NoVideo
  | VideoTooLong
  | VideoTooLarge
  | MediaInvalid
  | TranscriptionUnavailable
  | TranscriptionTimeout
  | DownloadFailed

export class Downloader extends Context.Service<
  Downloader,
  {
    /**
     * Path of the file, which is at most `limits.maxBytes` long. Its content is not checked: it can be anything, and
     * its duration can be longer than the limit.
     */
    readonly download: (request: DownloadRequest) => Effect.Effect<string, DownloadFailure>
    readonly component: Effect.Effect<Component>
  }
>()("@matchpoint/service-transcripts/download/Downloader") {}
