/**
 * Posts are identified by the platform's id, so the many URLs of a post share one transcript. Nothing is fetched: the
 * post may not exist, and may have no video.
 */
import { MAX_POST_URL_LENGTH } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import type { Platform } from "./Transcript.ts"

export interface Post {
  /** Platform's id, or `short-<host>-<code>` for a short link. At most 80 characters: letters, digits, `_`, `-`, `.`. */
  readonly postId: string
  /** Canonical URL without tracking parameters. */
  readonly url: string
}

export type PostUrl = { readonly _tag: "Post"; readonly post: Post } | { readonly _tag: "Rejected"; readonly reason: string }

/** A rejection says which URLs are accepted, for customers. */
export const readPostUrl = (platform: Platform, text: string): PostUrl => {
  const trimmed = text.trim()
  if (trimmed.length > MAX_POST_URL_LENGTH) return rejected(`the URL is longer than ${MAX_POST_URL_LENGTH} characters`)
  const url = URL.parse(trimmed)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return rejected(`${JSON.stringify(trimmed.slice(0, 100))} is not a URL that starts with https://; ${advice[platform]}`)
  }
  if (url.username !== "" || url.password !== "" || url.port !== "")
    return rejected(`the URL must not contain a password or a port; ${advice[platform]}`)
  const post = readers[platform](url)
  return post === undefined ? rejected(`this is not the URL of a ${names[platform]}; ${advice[platform]}`) : { _tag: "Post", post }
}

const rejected = (reason: string): PostUrl => ({ _tag: "Rejected", reason })

const names: Readonly<Record<Platform, string>> = { tiktok: "TikTok video", twitter: "post on X (Twitter)" }

const advice: Readonly<Record<Platform, string>> = {
  tiktok: "send https://www.tiktok.com/@user/video/<number> or a short link such as https://vm.tiktok.com/<code>",
  twitter: "send https://x.com/<user>/status/<number>; short links (t.co) are not accepted",
}

const tiktokHosts = new Set(["tiktok.com", "www.tiktok.com", "m.tiktok.com"])
const tiktokShortHosts = new Set(["vm.tiktok.com", "vt.tiktok.com"])
/** The common form has a user. Embedded players and old mobile links have only the number. */
const tiktokVideo = /^\/(?:@([\w.-]{0,40})\/video|v|video|embed(?:\/v[23])?|player\/v1)\/(\d{5,25})(?:\.html)?\/?$/
const tiktokCode = /^\/(\w{5,20})\/?$/
const tiktokSharedCode = /^\/t\/(\w{5,20})\/?$/

const readTiktok = ({ hostname, pathname }: URL): Post | undefined => {
  if (tiktokShortHosts.has(hostname)) {
    const code = tiktokCode.exec(pathname)?.[1]
    return code === undefined ? undefined : shortPost(hostname.slice(0, 2), code, `https://${hostname}/${code}/`)
  }
  if (!tiktokHosts.has(hostname)) return undefined
  const shared = tiktokSharedCode.exec(pathname)?.[1]
  if (shared !== undefined) return shortPost("t", shared, `https://www.tiktok.com/t/${shared}/`)
  const [, user = "", postId] = tiktokVideo.exec(pathname) ?? []
  return postId === undefined ? undefined : { postId, url: `https://www.tiktok.com/@${user}/video/${postId}` }
}

const shortPost = (host: string, code: string, url: string): Post => ({ postId: `short-${host}-${code}`, url })

const twitterHosts = new Set([
  "x.com",
  "www.x.com",
  "mobile.x.com",
  "m.x.com",
  "twitter.com",
  "www.twitter.com",
  "mobile.twitter.com",
  "m.twitter.com",
])
/** The last part selects one of the videos of a post, by default the first. */
const twitterStatus = /^\/(?:i\/web|(\w{1,20}))\/status(?:es)?\/(\d{1,20})(?:\/(?:video|photo)\/([1-9]))?\/?$/

const readTwitter = ({ hostname, pathname }: URL): Post | undefined => {
  if (!twitterHosts.has(hostname)) return undefined
  const [, user = "i", status, index = "1"] = twitterStatus.exec(pathname) ?? []
  if (status === undefined) return undefined
  const url = `https://x.com/${user}/status/${status}`
  return index === "1" ? { postId: status, url } : { postId: `${status}-${index}`, url: `${url}/video/${index}` }
}

const readers: Readonly<Record<Platform, (url: URL) => Post | undefined>> = { tiktok: readTiktok, twitter: readTwitter }
