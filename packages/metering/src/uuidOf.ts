/** Uses the `Random` service, so that ids are reproducible in simulations. */
export const uuidOf = (random: { readonly nextDoubleUnsafe: () => number }): string => {
  const digit = () => Math.floor(random.nextDoubleUnsafe() * 16)
  // Single characters, because a string concatenated from longer parts would keep these parts in memory, once per session.
  return Array.from("xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx", (letter) => {
    if (letter === "x") return digit().toString(16)
    return letter === "y" ? (8 + (digit() % 4)).toString(16) : letter
  }).join("")
}
