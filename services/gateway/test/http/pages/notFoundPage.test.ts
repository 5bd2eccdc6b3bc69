import { assert, describe, it } from "@effect/vitest"
import { wantsPage } from "../../../src/http/pages/notFoundPage.ts"

const browsers = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html",
  "TEXT/HTML, */*; q=0.1",
  "application/json;q=0.5, text/html",
]
const programs = [
  undefined,
  "",
  "*/*",
  "application/json",
  "application/json, text/plain, */*",
  "text/html, application/json",
  "text/*",
  "text/html;q=0",
]

describe("wantsPage", () => {
  for (const accept of browsers) it(`is true for browsers: ${accept}`, () => assert.isTrue(wantsPage(accept)))
  for (const accept of programs) it(`is false for programs: ${accept}`, () => assert.isFalse(wantsPage(accept)))
})
