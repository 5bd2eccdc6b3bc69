/** Compares statements of the pages with the code: numbers of simulated matches, plans, WebSockets, paths. */
import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { webhookDescriptor } from "@matchpoint/cs2/edge/archive/webhookDescriptor"
import { Plan, plansWith } from "@matchpoint/domain/plans"
import { productPaths } from "@matchpoint/games/api/productPaths"
import { simulatedMatchesOf } from "@matchpoint/games/simulatedGames"
import { settings } from "@matchpoint/process/settings/catalog"
import { DEFAULT_SIMULATED_MATCHES } from "@matchpoint/service-standalone/StandaloneConfig"
import { pageFiles, readPage } from "./pages.ts"

/** Text of a page in one line, so that statements may be broken anywhere. */
const textOf = (file: string): string => readPage(file).replaceAll(/\s+/g, " ")

describe("the pages say", () => {
  it("how many matches of each game `npm start` simulates", () => {
    const { apex, cod, cs2, tennis } = simulatedMatchesOf(DEFAULT_SIMULATED_MATCHES)
    const statement = `It simulates ${apex + cod + cs2 + tennis} live matches (${cs2} of CS2, ${tennis} of tennis, ${cod} of Call of Duty, ${apex} of Apex)`
    assert.include(textOf("docs/customers/quickstart.md"), statement)
    const other = pageFiles.flatMap((file) =>
      Array.from(textOf(file).matchAll(/[Ss]imulates? (\w+) live matches/g), ([found]) => [file, found]),
    )
    assert.deepStrictEqual(other, [["docs/customers/quickstart.md", `simulates ${apex + cod + cs2 + tennis} live matches`]])
  })

  it("which plans have webhooks, as the descriptor does", () => {
    const plans = plansWith("webhooks")
    assert.deepStrictEqual(
      webhookDescriptor.available_on_plans,
      plans.map((plan) => plan.toUpperCase()),
    )
    const [, ...cells] = /^\| `webhooks` .*$/m.exec(readPage("docs/customers/plans.md"))?.[0].split("|").slice(1, -1) ?? []
    assert.deepStrictEqual(
      Plan.literals.filter((_, index) => cells[index]?.trim() === "yes"),
      [...plans],
    )
  })

  it("paths that exist, with the method", () => {
    const unknown = pageFiles.flatMap((file) =>
      Array.from(textOf(file).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)).flatMap(([, method = "", path = ""]) => {
        const asked = path.replaceAll(/[{<][^}>]+[}>]|:\w+/g, "x")
        const roots = path.startsWith("/") ? ["", API_ROOT] : [API_ROOT]
        const isKnown = roots.some((root) =>
          productPaths
            .allowedAt(root + asked)
            ?.split(", ")
            .includes(method),
        )
        return isKnown || served.has(path) ? [] : [`${file}: ${method} ${path}`]
      }),
    )
    assert.deepStrictEqual(unknown, [])
  })

  it("every name of a setting as it is", () => {
    const names = new Set(Object.values(settings).map(({ name }) => name))
    const unknown = pageFiles.flatMap((file) =>
      Array.from(readPage(file).matchAll(/\bMATCHPOINT_[A-Z0-9_]+\b/g), ([name]) => name)
        .filter((name) => !names.has(name) && !ofTests.has(name))
        .map((name) => `${file}: ${name}`),
    )
    assert.deepStrictEqual(unknown, [])
  })
})

/** Paths that are served without a contract. */
const served = new Set(["/docs", "/openapi.json", "/asyncapi.json", "/health", "/metrics", "/rpc"])

/** Variables that only tests, benchmarks and the example programs read. */
const ofTests = new Set(["MATCHPOINT_DATA", "MATCHPOINT_WEBHOOK_SECRET", "MATCHPOINT_WRITE_DIGESTS"])
