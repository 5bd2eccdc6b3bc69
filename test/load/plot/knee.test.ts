import { assert, it } from "@effect/vitest"
import { kneeSvg } from "./knee.ts"

it("draws every point of every series inside the image", () => {
  const series = ["ours", "raw"].map((name, index) => ({
    name,
    points: [25, 100, 800].map((rate) => ({ offered: rate * 1_000, delivered: rate * (900 + index), p99Ms: rate / 10 })),
  }))
  const svg = kneeSvg("a sweep", series)
  const circles = [...svg.matchAll(/<circle cx="([0-9.]+)" cy="([0-9.]+)"/g)]
  assert.strictEqual(circles.length, 12)
  const [, width = "0", height = "0"] = /viewBox="0 0 ([0-9]+) ([0-9]+)"/.exec(svg) ?? []
  for (const [, x, y] of circles) {
    assert.isTrue(Number(x) > 0 && Number(x) < Number(width) && Number(y) > 0 && Number(y) < Number(height))
  }
  for (const { name } of series) assert.include(svg, `>${name}</text>`)
})
