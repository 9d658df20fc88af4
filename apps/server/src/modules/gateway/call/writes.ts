/** The runner's way to change parts of a call, by the names of the parts in `P`. */
export interface Writes<P> {
  /** Members that are left out stay as they are. */
  readonly write: (changes: { readonly [K in keyof P]?: Partial<P[K]> }) => void
}
