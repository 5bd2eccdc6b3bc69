import type { Platform } from "@matchpoint/transcripts/Transcript"
import type { TranscribeLimits } from "../Transcriber.ts"

/** Fixed, so that no title or extension of a page gets into a path. */
export const MEDIA_FILE = "media"

/** Start of a progress line. */
export const PROGRESS = "progress:"

/** Extractors of each platform. All others are refused, `generic` included: a page cannot lead to another site. */
const extractors: Readonly<Record<Platform, ReadonlyArray<string>>> = {
  tiktok: ["TikTok", "vm.tiktok"],
  twitter: ["twitter"],
}

export const ytDlpArguments = ({
  extraExtractors,
  limits,
  platform,
  url,
}: {
  readonly extraExtractors: ReadonlyArray<string>
  readonly limits: TranscribeLimits
  readonly platform: Platform
  readonly url: string
}): ReadonlyArray<string> => [
  // Nothing from the machine: no settings, accounts, cookies or caches, and no updates.
  ...["--ignore-config", "--no-cookies", "--no-cookies-from-browser", "--no-cache-dir", "--no-update"],
  ...["--use-extractors", [...extractors[platform], ...extraExtractors].join(",")],
  // One video, in one file, as it came.
  ...["--no-playlist", "--playlist-items", "1", "--fixup", "never"],
  ...["--no-part", "--no-continue", "--no-mtime", "--force-overwrites", "--output", MEDIA_FILE],
  ...["--no-write-subs", "--no-write-thumbnail", "--no-write-info-json", "--no-embed-metadata"],
  // Audio alone if there is any, else the smallest video with audio. Only protocols that use the proxy.
  ...["--format", `ba[protocol~='${PROTOCOLS}']/b[protocol~='${PROTOCOLS}']`, "--format-sort", "+size,+br"],
  // yt-dlp fetches everything itself: no ffmpeg, curl or other program.
  ...["--downloader", "native", "--hls-prefer-native", "--abort-on-unavailable-fragments"],
  ...["--retries", "2", "--fragment-retries", "2", "--extractor-retries", "1", "--socket-timeout", "15"],
  ...["--max-filesize", String(limits.maxBytes)],
  // A filter that does not match ends yt-dlp with code 101. `?`: the condition holds if the value is unknown.
  ...["--break-match-filters", `duration<=?${limits.maxDurationSeconds} & !is_live`],
  ...["--newline", "--progress", "--no-colors"],
  ...["--progress-template", `download:${PROGRESS}%(progress.downloaded_bytes)s/%(progress.total_bytes,progress.total_bytes_estimate)s`],
  // Arguments after this one are never options, whatever they start with.
  ...["--", url],
]

const PROTOCOLS = "^(https?|m3u8(_native)?|http_dash_segments)$"

/** Returns the downloaded part, 0 to 1. Undefined for other lines. */
export const fractionOf = (line: string): number | undefined => {
  const match = /^progress:([\d.]+)\/([\d.]+)$/.exec(line.trim())
  const [done, total] = [Number(match?.[1]), Number(match?.[2])]
  return total > 0 && Number.isFinite(done) ? Math.min(1, done / total) : undefined
}
