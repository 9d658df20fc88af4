import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import type { Principal } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { callerPolicies } from '../policy/callers.ts'
import { complete } from '../policy/defaults.ts'
import { diffJson } from '../policy/json-diff.ts'
import { configurationTopic, type TenantSnapshot } from '../policy/snapshot.ts'
import type { Policy, PolicyQuery, PolicyRow, PolicySummary, PolicyVersionRow } from './schema.ts'
import { policies, policyVersions } from './tables.ts'

export const policyResource = resource({
  table: policies,
  kind: 'policy',
  announces: configurationTopic,
  unique: { gateway_policy_name: ({ name }) => errors.nameTaken({ what: 'policy', name }) },
})

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
    ...(query.diff === undefined ? {} : { diff: await diffSince(tx, { row, since: query.diff, shown }) }),
    ...(query.include === 'versions' ? { versions: await versionFacts(tx, row.id) } : {}),
  }
}

interface Change {
  readonly row: PolicyRow
  readonly since: number
  readonly shown: PolicyVersionRow
}

/** Both with every default written out, so that a default that came later is no change. @throws API-013 */
async function diffSince(tx: Tx, { row, since, shown }: Change): Promise<Exclude<Policy['diff'], undefined>> {
  const before = await versionOf(tx, row.id, since)
  if (before === null) throw apiErrors.notFound({ what: 'policy version' })
  return { from: since, patch: [...diffJson(complete(before.document), complete(shown.document))] }
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

/**
 * The policy that would apply to the user or key if it called now and named this policy where it is published.
 * @throws API-013
 */
export function effectiveFor(
  snapshot: TenantSnapshot,
  row: PolicyRow,
  principal: Principal | null,
): Exclude<Policy['effective'], undefined> {
  if (principal === null) throw apiErrors.notFound({ what: 'user or key' })
  const { user_id: userId, key_id: keyId, roles } = principal
  const agent = principal.type === 'service' ? { agentId: userId } : {}
  const named = row.status === 'published' ? row.id : null
  const { effective, sources } = callerPolicies(snapshot, { userId, keyId, roles, ...agent }, named)
  return { sources: [...sources], document: { ...effective } }
}

export function versionOf(tx: Tx, policyId: string, number: number): Promise<PolicyVersionRow | null> {
  return tx.first(
    sql<PolicyVersionRow>`
      select ${policyVersions.columns} from gateway_policy_version where policy_id = ${policyId} and number = ${number}`,
  )
}

function versionsOf(tx: Tx, policyId: string): Promise<readonly PolicyVersionRow[]> {
  return tx.query(
    sql<PolicyVersionRow>`
      select ${policyVersions.columns} from gateway_policy_version where policy_id = ${policyId} order by number desc limit 200`,
  )
}

export interface PolicyListQuery {
  readonly status?: string
  readonly binding?: string
}

export async function listPolicies(
  tx: Tx,
  page: PageRequest,
  { status, binding }: PolicyListQuery,
): Promise<Page<Versioned<Omit<PolicySummary, 'etag'>>>> {
  const where = sql`
    (${status ?? null}::text is null or status = ${status ?? null}::text)
    and (${binding ?? null}::text is null or bindings @> jsonb_build_array(jsonb_build_object('kind', ${binding ?? null}::text)))`
  const found = await policies.page(tx, page, where)
  return { ...found, items: found.items.map(({ version, ...row }) => new Versioned(row, version)) }
}
