/**
 * Whether this process knows that it still owns its shards. It assumes so while the database does not respond, because then no other
 * process can take over either. But it may be wrong: it may be the only one that does not reach the database.
 */
import { Context } from "effect"

export class Ownership extends Context.Reference<{
  /** True if the database has confirmed the ownership so recently that no other process can have taken over. */
  readonly isConfirmed: () => boolean
}>("@matchpoint/cluster/Ownership", { defaultValue: () => ({ isConfirmed: () => true }) }) {}
