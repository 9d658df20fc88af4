/** The form of the catalogs that come with the program. */
export interface CatalogControl {
  readonly ref: string
  readonly title: string
  readonly statement?: string
  /** Of duties under the EU AI Act: roles that have them. */
  readonly roles?: readonly string[]
  /** Of duties under the EU AI Act: systems that they apply to. */
  readonly applies_to?: string
}

export interface BuiltinCatalog {
  readonly key: string
  readonly edition: string
  readonly title: string
  readonly publisher: string
  readonly source_url: string
  readonly license: string
  /** `own_words`, or `public_domain` where the text is the publisher's. */
  readonly text_policy: string
  readonly applies_per: string
  readonly mandatory: boolean
  /** Asks for a statement of applicability. */
  readonly soa: boolean
  /** Pattern of every identifier. */
  readonly identifiers: string
  readonly counts: { readonly groups: number; readonly controls: number }
  /** Where the counts come from. */
  readonly count_basis: string
  readonly groups: readonly {
    readonly id: string
    readonly title: string
    readonly controls: readonly CatalogControl[]
  }[]
}
