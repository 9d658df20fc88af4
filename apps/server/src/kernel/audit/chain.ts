/**
 * The arithmetic of the audit chain: the hashed bytes of an entry and the link from one hash to the next. Everything
 * that seals or verifies uses these functions, and an outsider can repeat them with SHA-256 and RFC 8785 alone. It
 * knows no storage. Tested in chain.test.ts.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../crypto/canonical-json.ts'
import type { AuditEntryRow } from './tables.ts'

/** Previous hash of a tenant's first entry. */
export const genesis = '0'.repeat(64)

/** Canonical JSON (RFC 8785) of an entry: every column by its name, as read from the database. Other chains have other rows. */
export function canonicalEntry(entry: object): string {
  return canonicalJson(entry)
}

/** SHA-256 over the 32 bytes of the previous hash followed by the canonical entry; lower-case hex. */
export function sealHash(prevHash: string, entry: object): string {
  return createHash('sha256').update(prevHash, 'hex').update(canonicalEntry(entry), 'utf8').digest('hex')
}

export interface ChainHead {
  /** Number of sealed entries, which is also the sequence number of the last. */
  readonly size: number
  readonly hash: string
}

export interface Seal {
  readonly tenantId: string
  readonly seq: number
  readonly entryId: string
  readonly prevHash: string
  readonly hash: string
}

/** Seals entries in the given order behind the heads of their tenants' chains. */
export function sealEntries(heads: ReadonlyMap<string, ChainHead>, entries: readonly AuditEntryRow[]): readonly Seal[] {
  const ends = new Map(heads)
  return entries.map((entry) => {
    const { size, hash: prevHash } = ends.get(entry.tenant_id) ?? { size: 0, hash: genesis }
    const hash = sealHash(prevHash, entry)
    ends.set(entry.tenant_id, { size: size + 1, hash })
    return { tenantId: entry.tenant_id, seq: size + 1, entryId: entry.id, prevHash, hash }
  })
}
