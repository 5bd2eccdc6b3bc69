import { assert, describe, it } from "@effect/vitest"
import { fractionOf, ytDlpArguments } from "../src/download/ytDlpArguments.ts"
import { ytDlpFailure } from "../src/download/ytDlpFailure.ts"

const limits = { maxDurationSeconds: 60, maxBytes: 5_000_000, maxWallSeconds: 60 }

describe("ytDlpFailure", () => {
  const failureOf = (output: string, given: Partial<Parameters<typeof ytDlpFailure>[0]> = {}) =>
    ytDlpFailure({ exitCode: 1, output, limits, refused: undefined, isTooLarge: false, ...given })

  // Messages of yt-dlp 2023.03 to 2025.
  const cases = [
    ["ERROR: [twitter] 1: No video could be found in this tweet", "NoVideo"],
    ["ERROR: Unsupported URL: https://example.com/", "NoVideo"],
    ["ERROR: No suitable extractor found for URL https://example.com", "NoVideo"],
    ["ERROR: [twitter] 1: NSFW tweet requires authentication", "VideoUnavailable"],
    ["ERROR: [twitter] 1: Requested tweet is unavailable. Suspended", "VideoUnavailable"],
    ["ERROR: [twitter] 1: You're not authorized to view this protected tweet", "VideoUnavailable"],
    ["ERROR: [TikTok] 7: Video not available, status code 10204", "VideoUnavailable"],
    ["ERROR: [TikTok] 7: This video is private, login required", "VideoUnavailable"],
    ["ERROR: [TikTok] 7: Unable to download webpage: HTTP Error 404: Not Found", "VideoUnavailable"],
    ["ERROR: unable to download video data: HTTP Error 500: Internal Server Error", "DownloadFailed"],
    ["ERROR: [generic] Unable to download webpage: <urlopen error timed out>", "DownloadFailed"],
    ["[download] File is larger than max-filesize (9 bytes > 5 bytes). Aborting.", "VideoTooLarge"],
    ["ERROR: unable to write data: [Errno 27] File too large", "VideoTooLarge"],
    ["something else", "DownloadFailed"],
  ] as const
  for (const [output, tag] of cases) it(`${output} -> ${tag}`, () => assert.strictEqual(failureOf(output)._tag, tag))

  it("a filter that does not match is a video that is too long", () => {
    const failure = failureOf("does not pass filter (duration<=?60 & !is_live), skipping ..", { exitCode: 101 })
    assert.strictEqual(failure._tag, "VideoTooLong")
  })

  it("a refused address is no reason to try again", () => {
    const failure = failureOf("HTTP Error 403: Forbidden", { refused: "10.0.0.1: the address is not public" })
    assert.strictEqual(failure._tag, "MediaInvalid")
    assert.notInclude(failure.message, "10.0.0.1")
  })

  it("details are bounded", () => assert.isAtMost(failureOf("x".repeat(10_000)).detail.length, 2_000))
})

describe("ytDlpArguments", () => {
  const given = { extraExtractors: [], limits, platform: "tiktok", url: "--exec=id" } as const

  it("a URL is never an option", () => assert.deepStrictEqual(ytDlpArguments(given).slice(-2), ["--", "--exec=id"]))

  it("each platform has its extractors only", () => {
    const of = (platform: "tiktok" | "twitter") => {
      const args = ytDlpArguments({ ...given, platform })
      return args[args.indexOf("--use-extractors") + 1]
    }
    assert.deepStrictEqual([of("tiktok"), of("twitter")], ["TikTok,vm.tiktok", "twitter"])
  })

  it("reads progress lines", () => {
    assert.deepStrictEqual(
      ["progress:50/200", "progress:5/NA", "progress:NA/NA", "[download] 10%", "progress:300/200.0", "progress:1/0"].map(fractionOf),
      [0.25, undefined, undefined, undefined, 1, undefined],
    )
  })
})
