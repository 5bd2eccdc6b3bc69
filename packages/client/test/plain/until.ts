/** Waits in tests of the client without Effect. */

/** Polls until `holds`, for at most 10 s. */
export const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (const end = performance.now() + 10_000; !holds(); ) {
    if (performance.now() > end) throw new Error(`not within 10 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The error that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

/** The next value of an iteration that must not be at its end. */
export const nextOf = async <A>(iterator: AsyncIterator<A>): Promise<A> => {
  const { done, value } = await iterator.next()
  if (done === true) throw new Error("the iteration has ended")
  return value
}
