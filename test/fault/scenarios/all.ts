/** All scenarios. A new one is a file in this folder and a line here. */
import { capacity } from "./capacity.ts"
import { clocks } from "./clocks.ts"
import { cutClients, cutGatewayFromNats, cutMatchFromDatabase, cutMatchFromNats, dropClients } from "./cutNetwork.ts"
import { freezeOwner } from "./freezeOwner.ts"
import { fullDisk } from "./fullDisk.ts"
import { killFeed } from "./killFeed.ts"
import { killGateway } from "./killGateway.ts"
import { killOwner } from "./killOwner.ts"
import { loseLog, restoreLog } from "./loseLog.ts"
import { natsLeader } from "./natsLeader.ts"
import { natsServers } from "./natsServers.ts"
import { restartNats } from "./restartNats.ts"
import { restartPostgres } from "./restartPostgres.ts"
import { restartRedis } from "./restartRedis.ts"
import { rollingRestart } from "./rollingRestart.ts"
import type { Scenario } from "./Scenario.ts"
import { slowNetwork } from "./slowNetwork.ts"
import { twoVersions } from "./twoVersions.ts"

export const scenarios: ReadonlyArray<Scenario> = [
  killOwner,
  freezeOwner,
  killGateway,
  killFeed,
  restartNats,
  restartPostgres,
  restartRedis,
  cutMatchFromNats,
  cutMatchFromDatabase,
  cutGatewayFromNats,
  cutClients,
  dropClients,
  slowNetwork,
  natsLeader,
  natsServers,
  loseLog,
  restoreLog,
  clocks,
  rollingRestart,
  twoVersions,
  fullDisk,
  capacity,
]
