import type { Game } from "@matchpoint/domain/plans"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { ConditionalGet } from "./ConditionalGet.ts"
import { Metering, Section } from "./Metering.ts"
import { QueryRules } from "./QueryRules.ts"
import { RequestRules } from "./RequestRules.ts"

/**
 * What all reads of a section share. A request passes the rules from the last to the first: it must be well-formed,
 * have a key, be allowed and paid by the plan, and have known parameters.
 */
export const sectionReads =
  (section: Game) =>
  <Id extends string, Endpoints extends HttpApiEndpoint.Constraint, TopLevel extends boolean>(
    group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>,
  ) =>
    group
      .annotate(Section, section)
      .middleware(QueryRules)
      .middleware(ConditionalGet)
      .middleware(Metering)
      .middleware(Authentication)
      .middleware(RequestRules)
