import type { TenantId } from '../../../kernel/access/actor.ts'
import { permissionSet } from '../../../kernel/access/permissions.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { IdentitySource, StoredApiKey } from '../../../kernel/auth/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ancestorsStatement, type FamilyMember } from '../api-keys/family.ts'
import { shownEnd } from '../api-keys/rules.ts'
import { directoryDigest, homeOf } from '../directory/directory.ts'
import { createOutsideVerifier } from '../outside-tokens/verify.ts'
import { rightsOf, subjectOf, subjectStatement } from '../rights/subjects.ts'
import { aboveOf, type TenantAboveRow, tenantsAbove } from '../rights/tenants-above.ts'
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
  readonly parent_id: string | null
}

/** Answers the kernel's questions about credentials from this module's tables. */
export function createIdentity({ kernel, keyUse, setup }: IamServices): IdentitySource {
  const apiKey = async (keyId: string): Promise<StoredApiKey | null> => {
    const digest = directoryDigest(kernel.platformKeys, 'api_key', keyId)
    const found = await homeOf(kernel.db, { kind: 'api_key', digest })
    if (found === null) return null
    const [row] = await kernel.db.read(
      found.home,
      sql<KeyRow>`
        select id, owner_id, secret_hash, scopes, allowed_cidrs, rate_limit_per_minute, expires_at, revoked_at, parent_id
        from iam_api_key
        where id = ${found.subject}`,
    )
    if (row === undefined) return null
    const above = row.parent_id === null ? [] : await kernel.db.read(found.home, ancestorsStatement(row.id))
    return storedKey(row, found.home, above)
  }

  return {
    rights: async (tenantId, userId) => {
      const [row] = await kernel.db.read(tenantId, subjectStatement(sql`u.id = ${userId}`))
      return row === undefined ? null : rightsOf(subjectOf(row, kernel.clock.now()))
    },
    apiKey,
    apiKeyUsed: (key, ip) => keyUse.used(key, ip),
    outsideToken: createOutsideVerifier(kernel),
    tenantsAbove: async (tenantId) => {
      const [row] = await kernel.db.read(
        platformTenant,
        sql<{ above: readonly TenantAboveRow[] }>`
          select ${tenantsAbove} as above from iam_tenant t where t.id = ${tenantId} and t.status <> 'deleted'`,
      )
      return row === undefined ? null : aboveOf(row.above)
    },
    isSetUp: () => setup.isComplete(),
  }
}

function storedKey(row: KeyRow, tenantId: TenantId, above: readonly FamilyMember[]): StoredApiKey {
  const ends = [row, ...above.filter(({ ends_with }) => ends_with)].map(({ expires_at }) => expires_at)
  const end = shownEnd(ends.reduce((first, other) => (other < first ? other : first)))
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
    ...(above.length > 0 && { ancestors: above.map(storedAncestor) }),
  }
}

function storedAncestor({ id, owner_id, scopes, allowed_cidrs, rate_limit_per_minute }: FamilyMember) {
  return {
    id,
    ownerId: owner_id,
    scopes: permissionSet(scopes),
    allowedCidrs: allowed_cidrs,
    rateLimitPerMinute: rate_limit_per_minute,
  }
}
