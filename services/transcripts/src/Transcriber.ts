/** Owns download, decoding and speech recognition of one video. Does not own jobs, retries, billing or the rules of URLs. */
import type { Platform, Transcript } from "@matchpoint/transcripts/Transcript"
import { Context, type Effect } from "effect"
import type { TranscribeFailure } from "./TranscribeFailure.ts"

export interface TranscribeLimits {
  readonly maxDurationSeconds: number
  /** Maximum size of the download, and of all files of the job on disk, except the decoded audio. */
  readonly maxBytes: number
  /** Time limit of the whole work. */
  readonly maxWallSeconds: number
}

export interface TranscribeProgress {
  readonly stage: "downloading" | "converting" | "transcribing"
  /** Done part of the stage, 0 to 1. Never decreases within a stage. */
  readonly fraction: number
}

export interface TranscribeRequest {
  /** Used in file names and logs: letters, digits, `-` and `_`, 1 to 64 characters. */
  readonly jobId: string
  readonly platform: Platform
  /** Canonical URL, checked by `packages/transcripts`. */
  readonly url: string
  /** ISO 639-1 code of the spoken language, or null to detect it. */
  readonly language: string | null
  readonly limits: TranscribeLimits
  /** Possibly many times per second. The work waits until it returns. */
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
     * Segments are in order and do not overlap; there is at least one. After an interruption, all child processes have
     * ended and all files are removed.
     */
    readonly transcribe: (request: TranscribeRequest) => Effect.Effect<Transcript, TranscribeFailure>
    /** This takes up to some seconds; the caller caches the result. */
    readonly availability: Effect.Effect<Availability>
  }
>()("@matchpoint/service-transcripts/Transcriber") {}
