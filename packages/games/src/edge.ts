/** Endpoints, channels and webhook events of each game, for the gateway. */
import { apexLive } from "@matchpoint/apex/contract/apexLive"
import { apexChannels } from "@matchpoint/apex/contract/asyncapi/apexChannels"
import { apexEventNames } from "@matchpoint/apex/contract/webhookEvents"
import { ApexHandlers } from "@matchpoint/apex/edge/apexHandlers"
import { codChannels } from "@matchpoint/cod/contract/asyncapi/codChannels"
import { codLive } from "@matchpoint/cod/contract/codLive"
import { codEventNames } from "@matchpoint/cod/contract/webhookEvents"
import { CodHandlers } from "@matchpoint/cod/edge/codHandlers"
import type { LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { asyncApi } from "@matchpoint/cs2/contract/asyncapi/asyncApi"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { cs2EventNames } from "@matchpoint/cs2/contract/webhookEvents"
import { AssetRoutes } from "@matchpoint/cs2/edge/assetRoutes"
import { Cs2Handlers } from "@matchpoint/cs2/edge/cs2Handlers"
import { tennisChannels } from "@matchpoint/tennis/contract/asyncapi/tennisChannels"
import { tennisLive } from "@matchpoint/tennis/contract/tennisLive"
import { tennisEventNames } from "@matchpoint/tennis/contract/webhookEvents"
import { TennisHandlers } from "@matchpoint/tennis/edge/tennisHandlers"
import { Layer } from "effect"

export const liveContracts: ReadonlyArray<LiveContract> = [apexLive, codLive, cs2Live, tennisLive]

export const GameHandlers = Layer.mergeAll(ApexHandlers, CodHandlers, Cs2Handlers, TennisHandlers)

/** Routes that are not endpoints, such as pictures. */
export const GameRoutes = AssetRoutes

/** Events that webhooks report. */
export const gameEventNames = [apexEventNames, codEventNames, cs2EventNames, tennisEventNames]

/** The AsyncAPI document of the live channels. */
export const channelsDocument = (place: Parameters<typeof asyncApi>[0]) => asyncApi(place, [apexChannels, codChannels, tennisChannels])
