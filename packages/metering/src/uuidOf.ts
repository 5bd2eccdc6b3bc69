/** A random UUID from the service, so that simulations know them. */
export const uuidOf = (random: { readonly nextDoubleUnsafe: () => number }): string => {
  const hex = Array.from({ length: 32 }, () => Math.floor(random.nextDoubleUnsafe() * 16).toString(16))
  hex[12] = "4"
  hex[16] = "89ab"[Math.floor(random.nextDoubleUnsafe() * 4)] ?? "8"
  const text = hex.join("")
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}
