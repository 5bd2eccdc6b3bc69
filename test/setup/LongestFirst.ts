import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Test files that take more than a minute, the longest first. If such a file began last, one core would be idle until its end.
 * The order of the others is that of Vitest.
 */
const longest = [
  "test/fault/selection.full.test.ts",
  "test/simulation/singleFault.full.test.ts",
  "test/e2e/live/gameServices.full.test.ts",
  "test/simulation/simulation.full.test.ts",
  "test/documents/runDocuments.full.test.ts",
  "test/e2e/operations/lostLog.full.test.ts",
  "test/e2e/metering/streams.full.test.ts",
  "test/e2e/metering/failover.full.test.ts",
  "test/e2e/webhooks/crashes.full.test.ts",
  "test/e2e/twoFeeds.full.test.ts",
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return index === -1 ? longest.length : index
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}
