/** Query planner settings of both drivers, chosen for many short statements that find their rows by index. */
export const plannerSettings = {
  /** Statements with many small subselects take longer to compile (0.4 s measured) than to run (milliseconds). */
  jit: "off",
  /**
   * No parallel plans. A generic plan does not know the LIMIT of a page, so the planner expects thousands of rows. For a
   * table that was not vacuumed it then scanned all rows in parallel (50 ms measured), although an index returns the
   * page in 1 ms.
   */
  max_parallel_workers_per_gather: "0",
  /**
   * Each statement is planned once, for all parameter values, because planning takes as long as running it. Statements
   * whose best plan depends on the values have different SQL texts.
   */
  plan_cache_mode: "force_generic_plan",
  /**
   * The default of 4 is meant for spinning disks, but frequently used pages are in memory or on an SSD. With it, the
   * planner would scan the whole table to count the rows of a list although an index is sufficient.
   */
  random_page_cost: "1.1",
} as const
