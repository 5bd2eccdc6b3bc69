/** The failure of a run by its output, in the texts of versions 2023.03 to 2025. */
import { DownloadFailed, MediaInvalid, NoVideo, VideoTooLarge, VideoTooLong, VideoUnavailable } from "../TranscribeFailure.ts"
import type { TranscribeLimits } from "../Transcriber.ts"

export interface YtDlpOutcome {
  readonly exitCode: number | null
  readonly output: string
  readonly limits: TranscribeLimits
  /** Why the egress proxy refused a request. */
  readonly refused: string | undefined
  /** True if the proxy or the watch of the directory stopped the download at the limit of bytes. */
  readonly isTooLarge: boolean
}

const NO_VIDEO =
  /no video could be found|no video formats found|there(?:'s| is) no video|no media found|unsupported url|no suitable extractor|requested format is not available/i
const UNAVAILABLE =
  /private|protected|deleted|removed|suspended|not available|unavailable|does ?n[o']t exist|no longer|log ?in|sign in|age.restrict|sensitive|nsfw|http error (?:401|403|404|410)|status code 10(?:204|216|222|231)/i

/** The failure of a run that has left no file or has not ended with 0. */
export const ytDlpFailure = ({ exitCode, isTooLarge, limits, output, refused }: YtDlpOutcome) => {
  const detail = output.slice(-2_000)
  const { maxBytes, maxDurationSeconds } = limits
  if (isTooLarge || /larger than max-filesize|file too large|errno 27/i.test(output)) return new VideoTooLarge({ maxBytes, detail })
  // A page or playlist that points to a forbidden address is not a video, and asking again does not help.
  if (refused !== undefined) return new MediaInvalid({ detail: `refused: ${refused}\n${detail}`.slice(0, 2_000) })
  if (exitCode === BREAK_CODE) return new VideoTooLong({ maxDurationSeconds, detail })
  if (NO_VIDEO.test(output)) return new NoVideo({ detail })
  if (UNAVAILABLE.test(output)) return new VideoUnavailable({ detail })
  return new DownloadFailed({ detail })
}

/** Exit code after `--break-match-filters`. */
const BREAK_CODE = 101
