import type { TenantId } from '../../../kernel/access/actor.ts'
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { IdentitySource, StoredApiKey } from '../../../kernel/auth/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { shownEnd } from '../api-keys/rules.ts'
import { directoryDigest, homeOf } from '../directory/directory.ts'
import { rightsOf, subjectOf, subjectStatement } from '../rights/subjects.ts'
import type { IamServices } from '../services/iam-services.ts'

interface KeyRow {
  readonly id: string
  readonly owner_id: string
  readonly secret_hash: string
  readonly scopes: readonly string[]
  readonly allowed_cidrs: readonly string[]
  readonly rate_limit_per_minute: number | null
  readonly expires_at: string
  readonly revoked_at: string | null
}

/** What the kernel asks about credentials, read from this module's tables. */
export function createIdentity({ kernel, keyUse, setup }: IamServices): IdentitySource {
  const apiKey = async (keyId: string): Promise<StoredApiKey | null> => {
    const digest = directoryDigest(kernel.platformKeys, 'api_key', keyId)
    const found = await homeOf(kernel.db, { kind: 'api_key', digest })
    if (found === null) return null
    const [row] = await kernel.db.read(
      found.home,
      sql<KeyRow>`
        select id, owner_id, secret_hash, scopes, allowed_cidrs, rate_limit_per_minute, expires_at, revoked_at
        from iam_api_key
        where id = ${found.subject}`,
    )
    return row === undefined ? null : storedKey(row, found.home)
  }

  return {
    rights: async (tenantId, userId) => {
      const [row] = await kernel.db.read(tenantId, subjectStatement(sql`u.id = ${userId}`))
      return row === undefined ? null : rightsOf(subjectOf(row, kernel.clock.now()))
    },
    apiKey,
    apiKeyUsed: (key, ip) => keyUse.used(key, ip),
    tenantExists: async (tenantId) => {
      const rows = await kernel.db.read(
        platformTenant,
        sql`select 1 as found from iam_tenant where id = ${tenantId} and status <> 'deleted'`,
      )
      return rows.length > 0
    },
    isSetUp: () => setup.isComplete(),
  }
}

function storedKey(row: KeyRow, tenantId: TenantId): StoredApiKey {
  const end = shownEnd(row.expires_at)
  return {
    id: row.id,
    tenantId,
    ownerId: row.owner_id,
    secretHash: row.secret_hash,
    scopes: permissionSet(row.scopes),
    expiresAt: end === null ? null : Math.floor(Date.parse(end) / 1000),
    allowedCidrs: row.allowed_cidrs,
    rateLimitPerMinute: row.rate_limit_per_minute,
    revoked: row.revoked_at !== null,
  }
}
