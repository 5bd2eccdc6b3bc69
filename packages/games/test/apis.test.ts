/** The APIs that are merged of those of the games. */
import { assert, describe, it } from "@effect/vitest"
import { ApexApi } from "@matchpoint/apex/contract/http/ApexApi"
import { CodApi } from "@matchpoint/cod/contract/http/CodApi"
import { AdminApi } from "@matchpoint/contracts/http/admin/AdminApi"
import { AnnouncedApi, AnnouncedV1Api } from "@matchpoint/contracts/http/announced/AnnouncedApi"
import { FactsApi } from "@matchpoint/contracts/http/feed/FactsApi"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import { Cs2AdminApi } from "@matchpoint/cs2/contract/http/admin/TeamCorrectionsApi"
import { Cs2Api } from "@matchpoint/cs2/contract/http/Cs2Api"
import { Cs2FeedApi } from "@matchpoint/cs2/contract/http/feed/Cs2FeedApi"
import { TennisAdminApi } from "@matchpoint/tennis/contract/http/admin/PlayerMergesApi"
import { TennisApi } from "@matchpoint/tennis/contract/http/TennisApi"
import { FeedApi } from "../src/api/FeedApi.ts"
import { MatchpointApi } from "../src/api/MatchpointApi.ts"
import { OperatorApi } from "../src/api/OperatorApi.ts"

interface WithGroups {
  readonly groups: Readonly<Record<string, object>>
}

const merged: ReadonlyArray<readonly [name: string, whole: WithGroups, parts: ReadonlyArray<WithGroups>]> = [
  ["MatchpointApi", MatchpointApi, [Cs2Api, TennisApi, ApexApi, CodApi, AnnouncedApi, AnnouncedV1Api, ServiceApi]],
  ["FeedApi", FeedApi, [Cs2FeedApi, FactsApi]],
  ["OperatorApi", OperatorApi, [Cs2AdminApi, TennisAdminApi, AdminApi]],
]

describe("APIs of all games", () => {
  // Merging APIs replaces a group by a later one of the same name, without an error.
  it.each(merged)("%s has every group of its parts under a name of its own", (_, whole, parts) => {
    const names = parts.flatMap(({ groups }) => Object.keys(groups))
    assert.sameMembers(names, [...new Set(names)])
    assert.sameMembers(Object.keys(whole.groups), names)
  })
})
