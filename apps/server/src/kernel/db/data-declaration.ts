/** Personal data of a table, declared with the table. The data registry (`kernel/data-registry`) reads it. */

/** GDPR, Article 6(1): (a), (b), (c), (e) and (f). */
export type LegalBasis = 'consent' | 'contract' | 'legal_obligation' | 'public_task' | 'legitimate_interest'

/** The kinds of other names of a person. */
export type AliasKind = 'email' | 'user_name' | 'external_id'

/** A column that names a person by something else than the user id. */
export interface AliasColumn {
  readonly column: string
  readonly kind: AliasKind
}

export interface DataDeclaration {
  readonly category: string
  /**
   * Columns that hold a user id, first the one that says whose row it is; empty when the table says nothing about a
   * person.
   */
  readonly subject: readonly string[]
  /** Columns that name the person whose row it is in another way; compared without regard to case. */
  readonly aliases?: readonly AliasColumn[]
  /** Default for tables about people: `legitimate_interest`, the security of the installation (GDPR, recital 49). */
  readonly basis?: LegalBasis
  /** ISO 8601 duration, or `tenant` for as long as the tenant exists. */
  readonly retention: string
  /** ISO 8601 duration before which retention may not remove a row; default none. */
  readonly minimum?: string
  readonly erasure: 'delete' | 'crypto_shred' | 'keep_pseudonymous' | 'none'
  /**
   * Rows are copies of other tables' data, for speed or for a download, and may be removed at any time: no hold keeps
   * them.
   */
  readonly isCopy?: boolean
  /** Places beside the database that hold content of the rows: names of caches, indexes in memory and files. */
  readonly caches?: readonly string[]
}
