/**
 * One worker with the speech engine that the settings name. Without weights there is none, and the API reports that
 * transcripts are not set up.
 */
import { TranscriptionStatusLayer } from "@matchpoint/service-transcripts/jobs/CheckedTranscriber"
import { TranscriptUpkeep } from "@matchpoint/service-transcripts/jobs/TranscriptUpkeep"
import { TranscriptWorker } from "@matchpoint/service-transcripts/jobs/TranscriptWorker"
import { settingsOf, TranscriberConfig } from "@matchpoint/service-transcripts/TranscriberConfig"
import * as TranscriberLayer from "@matchpoint/service-transcripts/TranscriberLayer"
import { Effect, Layer, Option } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

/** The gateway learns whether transcripts can be made. */
export const TranscriptsLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, (config) =>
    Option.isNone(config.transcriptsWeights)
      ? Layer.empty
      : Layer.mergeAll(TranscriptWorker.layer, TranscriptUpkeep.layer, TranscriptionStatusLayer).pipe(
          Layer.provide(TranscriberLayer.layer),
          Layer.provide(Layer.succeed(TranscriberConfig, settingsOf(config))),
        ),
  ),
)
