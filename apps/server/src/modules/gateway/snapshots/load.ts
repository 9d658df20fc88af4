import { createHash } from 'node:crypto'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { settingsOf } from '../cache/kept/settings.ts'
import type { CacheSettingsRow } from '../cache/kept/tables.ts'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocumentInput } from '../policy/document.ts'
import type { Bound, PublishedPolicy } from '../policy/published.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import { echoModels } from '../providers/adapters/echo/echo.ts'
import { type OwnModel, type Provider, type ProviderSecret, timeoutsOf } from '../providers/provider.ts'
import { addressOf } from '../providers/vendors/registry.ts'
import { readRoute, type StoredRoute } from '../route-model/route.ts'
import type { ProviderSettings } from '../schemas/provider.ts'
import { noLimits, type ProviderLimits } from '../schemas/provider-limits.ts'
import type { Timeouts } from '../schemas/timeouts.ts'
import type { Classification } from '../words/policy-words.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'
import { keyOfTenant, openSecret } from './provider-secrets.ts'

interface StoredSecret {
  readonly id: string
  readonly name: string
  readonly ciphertext: string
  readonly ref: string | null
  readonly weight: number
  readonly expires_at: string | null
  readonly version: number
  readonly valid_until: string | null
}

interface StoredProvider {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  readonly base_url: string | null
  readonly settings: ProviderSettings
  readonly models: readonly string[]
  readonly timeouts: Timeouts
  readonly residency: readonly string[]
  readonly zero_retention: boolean
  readonly max_classification: Classification | null
  readonly continue_trace: boolean
  readonly limits: ProviderLimits
  readonly status: 'enabled' | 'disabled'
  readonly secrets: readonly StoredSecret[]
  readonly known: readonly string[]
  readonly own: readonly (OwnModel & { readonly name: string })[]
}

interface StoredPolicy extends Omit<PublishedPolicy, 'document'> {
  readonly document: PolicyDocumentInput
}

interface LoadParts {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'roleNames' | 'groupMembers' | 'dataResidency'>
}

/** Reads a tenant's configuration in one statement, names the roles and members of the groups it is bound to, and opens its provider keys. */
export async function loadSnapshot({ kernel, iam }: LoadParts, tenantId: TenantId): Promise<TenantSnapshot> {
  const [row] = await kernel.db.read(tenantId, configuration)
  const stored = row?.policies ?? []
  const bound = stored.flatMap(({ bindings }) => bindings)
  const groupIds = bound.flatMap(({ kind, value }) => (kind === 'group' && value !== undefined ? [value] : []))
  const [providers, roles, groups, markingKey, residency] = await Promise.all([
    Promise.all((row?.providers ?? []).map((provider) => readProvider(kernel, tenantId, provider))),
    bound.some(({ kind }) => kind === 'role') ? iam.roleNames(tenantId) : noRoles,
    groupIds.length > 0 ? iam.groupMembers(tenantId, groupIds) : noGroups,
    markingKeyOf(kernel, tenantId),
    iam.dataResidency(tenantId),
  ])
  const policies = stored.map((policy) => ({
    ...policy,
    document: complete(policy.document),
    bindings: policy.bindings.map((binding) => named(binding, roles)),
  }))
  const routes = (row?.routes ?? []).map(readRoute)
  const cache = settingsOf(row?.cache ?? null)
  return { providers, policies, routes, groups, cache, residency, markingKey, compiled: new Map() }
}

/** 32 bytes only this tenant has; not the key itself, so nothing else can be opened with it. */
async function markingKeyOf({ tenantKeys }: Kernel, tenantId: TenantId): Promise<Uint8Array> {
  return createHash('sha256')
    .update(await tenantKeys.blindIndex(tenantId, 'gateway.marking', tenantId))
    .digest()
}

const noRoles: ReadonlyMap<string, string> = new Map()
const noGroups: ReadonlyMap<string, ReadonlySet<string>> = new Map()

/** Roles are stored by id, because a role may be renamed; callers come with the names of theirs. */
function named(binding: Bound, roles: ReadonlyMap<string, string>): Bound {
  if (binding.kind !== 'role' || binding.value === undefined) return binding
  return { ...binding, value: roles.get(binding.value) ?? binding.value }
}

interface Configuration {
  readonly providers: readonly StoredProvider[]
  readonly policies: readonly StoredPolicy[]
  readonly routes: readonly StoredRoute[]
  readonly cache: CacheSettingsRow | null
}

const configuration = sql<Configuration>`
  select
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', p.name, 'kind', p.kind, 'base_url', p.base_url, 'models', to_jsonb(p.models),
        'settings', p.settings, 'timeouts', p.timeouts, 'status', p.status, 'residency', to_jsonb(p.residency),
        'zero_retention', p.zero_retention,
        'max_classification', p.max_classification, 'continue_trace', p.continue_trace, 'limits', p.limits,
        'secrets', (select coalesce(jsonb_agg(jsonb_build_object(
            'id', s.id, 'name', s.name, 'ciphertext', encode(s.ciphertext, 'base64'),
            'ref', s.ref, 'weight', s.weight,
            'expires_at', s.expires_at, 'version', s.version, 'valid_until', s.valid_until)
            order by s.name, s.version desc), '[]')
          from gateway_provider_secret s
          where s.provider_id = p.id and (s.valid_until is null or s.valid_until > now())),
        'known', (select coalesce(jsonb_agg(m.name order by m.name), '[]')
          from gateway_model m where m.provider_id = p.id),
        'own', (select coalesce(jsonb_agg(jsonb_build_object('name', m.name, 'enabled', m.enabled,
            'capabilities', m.capabilities, 'contextTokens', m.context_tokens, 'maxOutputTokens', m.max_output_tokens,
            'retiresAt', to_char(m.retires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'aliases', (select coalesce(jsonb_agg(a.alias order by a.alias), '[]')
              from gateway_model_alias a where a.model_id = m.id))), '[]')
          from gateway_model m where m.provider_id = p.id and m.version > 1)
      ) order by p.created_at, p.id), '[]')
      from gateway_provider p) as providers,
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', y.id, 'name', y.name, 'version', v.number, 'sha256', v.sha256, 'document', v.document,
        'bindings', y.bindings) order by y.id), '[]')
      from gateway_policy y
      join gateway_policy_version v on v.policy_id = y.id and v.number = y.active_version
      where y.status = 'published') as policies,
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id, 'name', r.name, 'version', r.version, 'strategy', r.strategy, 'status', r.status,
        'targets', r.targets, 'fallback_on', to_jsonb(r.fallback_on), 'retry', r.retry, 'hedge', r.hedge,
        'timeouts', r.timeouts, 'sticky_key', r.sticky_key, 'cache', r.cache) order by r.id), '[]')
      from gateway_route r where r.status <> 'archived') as routes,
    (select to_jsonb(c) from gateway_cache_settings c) as cache`

async function readProvider(kernel: Kernel, tenantId: TenantId, stored: StoredProvider): Promise<Provider> {
  return {
    id: stored.id,
    name: stored.name,
    kind: stored.kind,
    baseUrl: stored.base_url,
    settings: stored.settings,
    models: stored.models,
    knownModels: stored.kind === 'echo' ? echoModels : stored.known,
    ownModels: new Map(stored.own.map(({ name, ...own }) => [name, own])),
    timeouts: timeoutsOf(stored.timeouts),
    secrets: await openSecrets(kernel, tenantId, stored),
    enabled: stored.status === 'enabled',
    residency: stored.residency,
    zeroRetention: stored.zero_retention,
    maxClassification: stored.max_classification,
    continuesTrace: stored.continue_trace,
    limits: { ...noLimits, ...stored.limits },
  }
}

/** A key that does not open (moved, or of another address) is left out and reported; the other keys still serve. */
async function openSecrets(
  kernel: Kernel,
  tenantId: TenantId,
  stored: StoredProvider,
): Promise<readonly ProviderSecret[]> {
  const opened = stored.secrets.map(async (secret): Promise<ProviderSecret[]> => {
    try {
      const value = await openSecret(kernel.tenantKeys, tenantId, {
        id: secret.id,
        ciphertext: Buffer.from(secret.ciphertext, 'base64'),
        address: addressOf({ kind: stored.kind, baseUrl: stored.base_url, settings: stored.settings }),
      })
      if (secret.ref !== null && secret.ref !== value) throw new Error('The reference is not the one that was sealed')
      if (secret.ref === null) kernel.liveSecrets.add(keyOfTenant(tenantId, { ...secret, provider: stored.id, value }))
      const named = secret.ref === null ? { value } : { value: '', reference: { tenantId, text: secret.ref } }
      return [{ ...named, weight: secret.weight, ...lifeOf(secret) }]
    } catch (error) {
      kernel.log.error({ err: error, provider: stored.name, key: secret.name }, 'a provider key cannot be opened')
      return []
    }
  })
  return (await Promise.all(opened)).flat()
}

/** A rotated key holds until its overlap ends, beside the version that replaced it. */
function lifeOf({ name, version, expires_at: end, valid_until: until }: StoredSecret) {
  const ends = [end, until].flatMap((at) => (at === null ? [] : [Date.parse(at)]))
  const standby = until !== null
  return {
    id: standby ? `${name}@${version}` : name,
    version,
    standby,
    expiresAt: ends.length === 0 ? null : Math.min(...ends),
  }
}
