/** A function that runs at its first call, and gives the same answer afterwards. Tested in once.test.ts. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
