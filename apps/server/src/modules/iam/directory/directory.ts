/**
 * Finds the tenant a credential belongs to without reading any tenant's rows: e-mail addresses, ids of keys and passkeys,
 * and tokens of links as keyed digests, each with its home. It holds no plaintext. Tested in sign-in/login.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { Database, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { insertStatement } from '../../../kernel/db/table.ts'
import type { PlatformKeys } from '../../../kernel/keys/port.ts'
import { directory } from '../tables/directory.ts'

export type DirectoryKind = 'email' | 'api_key' | 'invitation' | 'mail_link' | 'passkey' | 'outside_token'

export interface DirectoryEntry {
  readonly kind: DirectoryKind
  readonly value: string
  readonly subject: string
}

export interface Home {
  readonly home: TenantId
  readonly subject: string
}

export function directoryDigest(keys: PlatformKeys, kind: DirectoryKind, value: string): string {
  return keys.mac(`directory:${kind}`, value)
}

/** Enters a credential of the transaction's tenant. */
export async function enter(tx: Tx, keys: PlatformKeys, { kind, value, subject }: DirectoryEntry): Promise<void> {
  const digest = directoryDigest(keys, kind, value)
  await tx.execute(insertStatement(directory.from, { kind, digest, home: tx.tenantId, subject, last_used_at: null }))
}

/** Takes a subject's entries out; true when there was one. */
export async function leave(tx: Tx, kind: DirectoryKind, subject: string): Promise<boolean> {
  return (
    (await tx.execute(sql`
      delete from iam_directory
      where kind = ${kind} and home = ${tx.tenantId} and subject = ${subject}`)) > 0
  )
}

/** Records that an address was used: an account in use takes precedence over one only offered in another tenant. */
export async function used(tx: Tx, subject: string, now: string): Promise<void> {
  await tx.execute(sql`
    update iam_directory set last_used_at = ${now}
    where kind = 'email' and home = ${tx.tenantId} and subject = ${subject}`)
}

/** The home of a value that exists once in the installation. */
export async function homeOf(
  db: Database,
  digest: { readonly kind: DirectoryKind; readonly digest: string },
): Promise<Home | null> {
  const rows = await db.read(
    platformTenant,
    sql<Home>`select home, subject from iam_directory where kind = ${digest.kind} and digest = ${digest.digest}`,
  )
  return rows[0] ?? null
}
