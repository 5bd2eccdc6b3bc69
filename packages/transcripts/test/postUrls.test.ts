import { assert, describe, it } from "@effect/vitest"
import { MAX_POST_URL_LENGTH } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import { Schema } from "effect"
import { readPostUrl } from "../src/postUrls.ts"
import type { Platform } from "../src/Transcript.ts"

const accepted: ReadonlyArray<readonly [Platform, url: string, postId: string, canonical: string]> = [
  [
    "tiktok",
    "https://www.tiktok.com/@some.user_1/video/7301234567890123456",
    "7301234567890123456",
    "https://www.tiktok.com/@some.user_1/video/7301234567890123456",
  ],
  [
    "tiktok",
    " https://tiktok.com/@u/video/7301234567890123456?is_from_webapp=1&sender_device=pc#x ",
    "7301234567890123456",
    "https://www.tiktok.com/@u/video/7301234567890123456",
  ],
  [
    "tiktok",
    "http://m.tiktok.com/v/7301234567890123456.html?u_code=1",
    "7301234567890123456",
    "https://www.tiktok.com/@/video/7301234567890123456",
  ],
  [
    "tiktok",
    "https://www.tiktok.com/embed/v2/7301234567890123456",
    "7301234567890123456",
    "https://www.tiktok.com/@/video/7301234567890123456",
  ],
  [
    "tiktok",
    "https://www.tiktok.com/player/v1/7301234567890123456",
    "7301234567890123456",
    "https://www.tiktok.com/@/video/7301234567890123456",
  ],
  ["tiktok", "https://VM.tiktok.com/ZMabc1234/?share=1", "short-vm-ZMabc1234", "https://vm.tiktok.com/ZMabc1234/"],
  ["tiktok", "https://vt.tiktok.com/ZSabc1234", "short-vt-ZSabc1234", "https://vt.tiktok.com/ZSabc1234/"],
  ["tiktok", "https://www.tiktok.com/t/ZTabc1234/", "short-t-ZTabc1234", "https://www.tiktok.com/t/ZTabc1234/"],
  [
    "twitter",
    "https://x.com/someone/status/1790000000000000001?s=20&t=abc",
    "1790000000000000001",
    "https://x.com/someone/status/1790000000000000001",
  ],
  [
    "twitter",
    "https://mobile.twitter.com/someone/statuses/1790000000000000001/",
    "1790000000000000001",
    "https://x.com/someone/status/1790000000000000001",
  ],
  ["twitter", "https://twitter.com/i/web/status/1790000000000000001", "1790000000000000001", "https://x.com/i/status/1790000000000000001"],
  ["twitter", "https://x.com/a/status/17/video/1", "17", "https://x.com/a/status/17"],
  ["twitter", "https://x.com/a/status/17/video/2", "17-2", "https://x.com/a/status/17/video/2"],
]

const rejected: ReadonlyArray<readonly [Platform, url: string, because: RegExp]> = [
  ["tiktok", "", /is not a URL/],
  ["tiktok", "www.tiktok.com/@u/video/7301234567890123456", /https:\/\//],
  ["tiktok", "ftp://www.tiktok.com/@u/video/7301234567890123456", /https:\/\//],
  ["tiktok", "https://www.tiktok.com/@u", /not the URL of a TikTok video/],
  ["tiktok", "https://www.tiktok.com/@u/photo/7301234567890123456", /not the URL of a TikTok video/],
  ["tiktok", "https://www.tiktok.com.evil.example/@u/video/7301234567890123456", /not the URL of a TikTok video/],
  ["tiktok", "https://evil.example/www.tiktok.com/@u/video/7301234567890123456", /not the URL of a TikTok video/],
  ["tiktok", "https://www.tiktok.com@10.0.0.1/@u/video/7301234567890123456", /password or a port/],
  ["tiktok", "https://www.tiktok.com:8443/@u/video/7301234567890123456", /password or a port/],
  ["tiktok", "https://vm.tiktok.com/../../etc/passwd", /not the URL of a TikTok video/],
  ["tiktok", "https://x.com/a/status/17", /not the URL of a TikTok video/],
  ["twitter", "https://x.com/someone", /not the URL of a post on X/],
  ["twitter", "https://t.co/abc", /short links/],
  ["twitter", "https://x.com/a/status/17/video/0", /not the URL of a post on X/],
  ["twitter", "https://x.com/a/status/17/analytics", /not the URL of a post on X/],
  ["twitter", "https://www.tiktok.com/@u/video/7301234567890123456", /not the URL of a post on X/],
  ["twitter", `https://x.com/a/status/17?${"x".repeat(MAX_POST_URL_LENGTH)}`, /longer than/],
]

describe("readPostUrl", () => {
  for (const [platform, url, postId, canonical] of accepted) {
    it(`${platform}: accepts ${url}`, () => {
      assert.deepStrictEqual(readPostUrl(platform, url), { _tag: "Post", post: { postId, url: canonical } })
      assert.deepStrictEqual(readPostUrl(platform, canonical), { _tag: "Post", post: { postId, url: canonical } })
      assert.match(postId, /^[\w.-]{1,80}$/)
    })
  }
  for (const [platform, url, because] of rejected) {
    it(`${platform}: rejects ${url.slice(0, 80)}`, () => {
      const read = readPostUrl(platform, url)
      assert(read._tag === "Rejected")
      assert.match(read.reason, because)
    })
  }
  it.prop("answers for any text", { text: Schema.String }, ({ text }) => {
    assert.strictEqual(readPostUrl("tiktok", text)._tag, "Rejected")
    assert.strictEqual(readPostUrl("twitter", `https://x.com/${encodeURIComponent(text.toWellFormed())}`)._tag, "Rejected")
  })
})
