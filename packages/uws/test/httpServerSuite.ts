// Required behaviour of every HTTP server under an HttpApi, run on packages/uws and on Effect's server on node:http.
import { describe } from "@effect/vitest"
import { apiCases } from "./http/apiCases.ts"
import type { Driver } from "./http/driver.ts"
import { lifecycleCases } from "./http/lifecycleCases.ts"
import { requestCases } from "./http/requestCases.ts"
import { responseCases } from "./http/responseCases.ts"

export const httpServerSuite = (driver: Driver): void => {
  describe(`HttpServer on ${driver.name}`, () => {
    describe("requests", () => requestCases(driver))
    describe("responses", () => responseCases(driver))
    describe("lifecycle", () => lifecycleCases(driver))
    describe("HttpApi", () => apiCases(driver))
  })
}
