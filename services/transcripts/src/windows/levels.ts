/** Loudness of audio over time. */
import { SAMPLE_RATE } from "../audio/Audio.ts"

/** A frame has one level. */
export const FRAME_SECONDS = 0.02
export const FRAME_SAMPLES = SAMPLE_RATE * FRAME_SECONDS

/** Digital silence, in dB. */
const FLOOR = -100

/** Root mean square in dB of full scale, -100 to 0. */
export const levelOf = (samples: Int16Array): number => {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const power = sum / Math.max(1, samples.length) / 32_768 ** 2
  return power > 0 ? Math.max(FLOOR, 10 * Math.log10(power)) : FLOOR
}

/**
 * A quieter frame is silent: 35 dB below the loud parts (95th percentile), from -65 to -40 dB. Quiet recordings keep
 * their speech, and loud ones lose their noise.
 */
export const silenceThreshold = (levels: Float32Array): number => {
  const sorted = levels.toSorted()
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? FLOOR
  return Math.min(-40, Math.max(-65, loud - 35))
}
