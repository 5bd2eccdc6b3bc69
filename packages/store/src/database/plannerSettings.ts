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
   * Parallel plans are off. A generic plan does not know the LIMIT of a page, so the planner expects thousands of rows.
   * For a table that was not vacuumed it then chose a parallel scan of all rows (50 ms measured), although an index
   * returns the page in 1 ms.
   */
  max_parallel_workers_per_gather: "0",
  /**
   * Makes a session plan each statement only once, for all parameter values (generic plan), because planning a
   * statement takes as long as running it. Statements whose best plan depends on the values have different SQL texts.
   */
  plan_cache_mode: "force_generic_plan",
  /**
   * Estimated cost of reading a random page. It is lower than the default of 4, which is meant for spinning disks,
   * because frequently used pages are in memory or on an SSD. With the default, the planner would scan the whole table
   * to count the rows of a list although an index is sufficient.
   */
  random_page_cost: "1.1",
} as const
