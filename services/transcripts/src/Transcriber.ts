/**
 * Port: turns a post's video into a transcript. Owns download, decoding and speech recognition of one video. Does not
 * own jobs, retries, billing or the rules of URLs.
 */
import type { Platform, Transcript } from "@matchpoint/transcripts/Transcript"
import { Context, type Effect } from "effect"
import type { TranscribeFailure } from "./TranscribeFailure.ts"

export interface TranscribeLimits {
  /** Longest video, in seconds. */
  readonly maxDurationSeconds: number
  /** Largest download, in bytes. Also the limit of all files of the job on disk, except the decoded audio. */
  readonly maxBytes: number
  /** Time of the whole work, in seconds. */
  readonly maxWallSeconds: number
}

export interface TranscribeProgress {
  readonly stage: "downloading" | "converting" | "transcribing"
  /** Part of the stage that is done, 0 to 1. Never decreases within a stage. */
  readonly fraction: number
}

export interface TranscribeRequest {
  /** Appears in file names and logs: letters, digits, `-` and `_` only, 1 to 64 characters. */
  readonly jobId: string
  readonly platform: Platform
  /** Canonical URL of the post, already checked by `packages/transcripts`. */
  readonly url: string
  /** ISO 639-1 code of the spoken language, or null to detect it. */
  readonly language: string | null
  readonly limits: TranscribeLimits
  /** Called many times per second at most. The work waits until it returns. */
  readonly onProgress: (progress: TranscribeProgress) => Effect.Effect<void>
}

/** A tool, program or file that transcripts need. */
export interface Component {
  readonly name: string
  /** Version as the tool prints it, or null if it is missing or prints none. */
  readonly version: string | null
  /** The problem and how to solve it, for the operator. Null if the component works. */
  readonly problem: string | null
}

export interface Availability {
  /** True if no component has a problem. */
  readonly isAvailable: boolean
  readonly components: ReadonlyArray<Component>
}

export class Transcriber extends Context.Service<
  Transcriber,
  {
    /**
     * Makes the transcript. Segments are in order and do not overlap; there is at least one. If it is interrupted, all
     * child processes are ended and all files are removed before the interruption completes.
     */
    readonly transcribe: (request: TranscribeRequest) => Effect.Effect<Transcript, TranscribeFailure>
    /** Looks for all tools, the engine and its weights. Takes up to some seconds; the caller caches the result. */
    readonly availability: Effect.Effect<Availability>
  }
>()("@matchpoint/service-transcripts/Transcriber") {}
