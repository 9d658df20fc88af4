/** Lets steps change the parts of a call named in `P`. */
export interface Writes<P> {
  /** Omitted members stay unchanged. */
  readonly write: (changes: { readonly [K in keyof P]?: Partial<P[K]> }) => void
}
