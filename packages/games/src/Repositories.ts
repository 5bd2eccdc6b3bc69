/** All repositories, for processes that serve the whole product. The caller provides the database. */
import { ApexRepositories } from "@matchpoint/apex/archive/ApexRepositories"
import { CodRepositories } from "@matchpoint/cod/archive/CodRepositories"
import { Cs2Repositories } from "@matchpoint/cs2/archive/Cs2Repositories"
import { ServiceRepositories } from "@matchpoint/store/ServiceRepositories"
import { TennisRepositories } from "@matchpoint/tennis/archive/TennisRepositories"
import { Layer } from "effect"

const GameRepositories = Layer.mergeAll(ApexRepositories, CodRepositories, Cs2Repositories, TennisRepositories)

export class Repositories {
  /** Wakes the webhook workers of this process only. */
  static readonly layer = Layer.provideMerge(GameRepositories, ServiceRepositories.layer)

  /** Wakes the webhook workers of all processes that use the same PostgreSQL database. */
  static readonly layerPostgres = Layer.provideMerge(GameRepositories, ServiceRepositories.layerPostgres)

  /** Behind a pooler in transaction mode: workers of this process look for work at intervals. */
  static readonly layerPooled = Layer.provideMerge(GameRepositories, ServiceRepositories.layerPooled)
}
