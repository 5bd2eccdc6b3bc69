import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SummariesReady } from "../../SummariesReady.ts"
import { Coverage, Health, STALE_AFTER_DAYS, SyncHealth } from "../coverageModels.ts"

export class CoverageApi extends HttpApiGroup.make("tennis-coverage")
  .add(
    HttpApiEndpoint.get("coverage", "/tennis/coverage", {
      success: success(Coverage, NoMeta),
      error: ServiceUnavailable,
    })
      .middleware(SummariesReady)
      .annotateMerge(
        describe(
          "Coverage",
          "Content of the archive, by tour and circuit, and in total. Computed from the archive. All plans see the same.",
        ),
      ),
    HttpApiEndpoint.get("health", "/tennis/health", { success: success(Health, NoMeta), error: ServiceUnavailable }).annotateMerge(
      describe("Health", "Whether the tennis section can be read and is complete, and the dates of its newest data."),
    ),
    HttpApiEndpoint.get("sync", "/tennis/health/sync", { success: success(SyncHealth, NoMeta), error: ServiceUnavailable }).annotateMerge(
      describe(
        "Freshness",
        `Last imports, and the age of the newest matches and rankings. Data are stale if the newest date is more than ${STALE_AFTER_DAYS} days ago. Rankings are published weekly, and every two weeks around some large tournaments.`,
      ),
    ),
  )
  .pipe(sectionReads("tennis"))
  .annotateMerge(OpenApi.annotations({ title: "Tennis coverage", description: "Content and freshness of the tennis section." })) {}
