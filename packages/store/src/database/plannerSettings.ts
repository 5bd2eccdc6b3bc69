/**
 * Settings of the query planner for both drivers. The store runs many short statements that find their rows by index.
 */
export const plannerSettings = {
  /** Statements with many small subselects take longer to compile (0.4 s measured) than to run (milliseconds). */
  jit: "off",
  /**
   * Planning takes as long as running. With generic plans, a session plans each statement once for all parameter
   * values. Where the values matter, the SQL text differs.
   */
  plan_cache_mode: "force_generic_plan",
  /**
   * Cost of a random page read. Frequently used pages are in memory or on an SSD. With the default of 4, which is meant
   * for spinning disks, counting a list scans the whole table although an index would be enough.
   */
  random_page_cost: "1.1",
} as const
