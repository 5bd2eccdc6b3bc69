/** A random UUID from the service, so that simulations know them. */
export const uuidOf = (random: { readonly nextDoubleUnsafe: () => number }): string => {
  const digit = () => Math.floor(random.nextDoubleUnsafe() * 16)
  // Joined from single letters, for a string of parts would keep its parts: sessions are many.
  return Array.from("xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx", (letter) => {
    if (letter === "x") return digit().toString(16)
    return letter === "y" ? (8 + (digit() % 4)).toString(16) : letter
  }).join("")
}
