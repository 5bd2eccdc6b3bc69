/**
 * Query planner settings for both database drivers. They are chosen for many short statements that find their rows by
 * index.
 */
export const plannerSettings = {
  /**
   * JIT compilation is off because statements with many small subselects take longer to compile (0.4 s measured) than
   * to run (milliseconds).
   */
  jit: "off",
  /**
   * Planning a statement takes as long as running it. With generic plans, a session plans each statement only once, for
   * all parameter values. Statements whose best plan depends on the values have different SQL texts.
   */
  plan_cache_mode: "force_generic_plan",
  /**
   * Estimated cost of reading a random page. The default of 4 is meant for spinning disks, whereas frequently used
   * pages are in memory or on an SSD. With the default, the planner would scan the whole table to count the rows of a
   * list although an index is sufficient.
   */
  random_page_cost: "1.1",
} as const
