/** A detector with its options. */
export interface Look<T> {
  /** Different where it may find something else under the same rules. */
  readonly name: string
  find(text: string): T
}
