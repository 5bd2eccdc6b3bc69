/** What both databases are told about our statements when a session begins: they are short, many, and find their rows by index. */
export const plannerSettings = {
  /** Statements with many small subselects take longer to compile (0.4 s were measured) than to run (ms). */
  jit: "off",
  /** Planning takes as long as running them: a session plans each once, whatever its values. Where values matter, texts differ. */
  plan_cache_mode: "force_generic_plan",
  /**
   * What is asked for often is in memory, or on a disk without a head that moves. With the default of 4, made for such disks, a list is
   * counted by reading its table from end to end although an index alone would do.
   */
  random_page_cost: "1.1",
} as const
