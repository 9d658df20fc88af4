/** What is made or done at the first time of asking, and answered again after that. Tested in once.test.ts. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
