import { BodyRules, MAX_BODY_BYTES } from "@matchpoint/contracts/http/BodyRules"
import { Layer } from "effect"
import { limitedBody } from "./limitedBody.ts"

export const BodyRulesLayer = Layer.succeed(BodyRules, limitedBody(MAX_BODY_BYTES))
