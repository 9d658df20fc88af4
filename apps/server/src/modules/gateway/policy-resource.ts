import type { Tx } from '../../kernel/db/port.ts'
import { apiErrors } from '../../kernel/http/errors.ts'
import { versionOf, versionsOf } from './policies.ts'
import { callerPolicies } from './policy/callers.ts'
import type { TenantSnapshot } from './policy/snapshot.ts'
import type { Policy, PolicyQuery, PolicyRow } from './schemas/policy.ts'

/** One policy with the document of the asked version: the live one, or the latest of a draft. @throws API-013 */
export async function policyOf(tx: Tx, row: PolicyRow, query: PolicyQuery = {}): Promise<Policy> {
  const shown = await versionOf(tx, row.id, query.version ?? row.active_version ?? row.latest_version)
  if (shown === null) throw apiErrors.notFound({ what: 'policy version' })
  const { version: _, ...facts } = row
  return {
    ...facts,
    version: shown.number,
    sha256: shown.sha256,
    document: shown.document,
    ...(query.include === 'versions' ? { versions: await versionFacts(tx, row.id) } : {}),
  }
}

async function versionFacts(tx: Tx, policyId: string): Promise<Exclude<Policy['versions'], undefined>> {
  const versions = await versionsOf(tx, policyId)
  return versions.map(({ number, author_id, note, sha256, created_at, published_at, published_by, replaced_at }) => ({
    number,
    author_id,
    note,
    sha256,
    created_at,
    published_at,
    published_by,
    replaced_at,
  }))
}

/** What the user or key would be held to if it called now and named this policy where it is published. */
export function effectiveFor(
  snapshot: TenantSnapshot,
  row: PolicyRow,
  id: string,
): Exclude<Policy['effective'], undefined> {
  const named = row.status === 'published' ? row.id : null
  const { effective, sources } = callerPolicies(snapshot, { userId: id, keyId: id, roles: [] }, named)
  return { sources: [...sources], document: { ...effective } }
}
