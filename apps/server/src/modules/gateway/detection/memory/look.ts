/** A detector with its options. */
export interface Look<T> {
  /** Must differ if the findings may differ under the same rules. */
  readonly name: string
  find(text: string): T
}
