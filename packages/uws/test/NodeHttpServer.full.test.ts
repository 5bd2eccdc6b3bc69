import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { httpServerSuite } from "./httpServerSuite.ts"

httpServerSuite({ name: "node", layer: NodeHttpServer.layerTest })
