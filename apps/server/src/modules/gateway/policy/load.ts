import type { TenantId } from '../../../kernel/auth/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { openSecret } from '../provider-secrets.ts'
import { echoModels } from '../providers/echo.ts'
import { type Provider, type ProviderKind, type ProviderSecret, timeoutsOf } from '../providers/provider.ts'
import type { Timeouts } from '../schemas/provider.ts'
import { complete } from './defaults.ts'
import type { PolicyDocumentInput } from './document.ts'
import type { Bound, PublishedPolicy, TenantSnapshot } from './snapshot.ts'

interface StoredSecret {
  readonly id: string
  readonly name: string
  readonly ciphertext: string
  readonly weight: number
  readonly expires_at: string | null
}

interface StoredProvider {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  readonly base_url: string | null
  readonly models: readonly string[]
  readonly timeouts: Timeouts
  readonly status: 'enabled' | 'disabled'
  readonly secrets: readonly StoredSecret[]
  readonly known: readonly string[]
}

interface StoredPolicy extends Omit<PublishedPolicy, 'document'> {
  readonly document: PolicyDocumentInput
}

interface LoadParts {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'roleNames'>
}

/** Reads a tenant's configuration in one statement, names the roles it is bound to and opens its provider keys. */
export async function loadSnapshot({ kernel, iam }: LoadParts, tenantId: TenantId): Promise<TenantSnapshot> {
  const [row] = await kernel.db.read(tenantId, configuration)
  const stored = row?.policies ?? []
  const [providers, roles] = await Promise.all([
    Promise.all((row?.providers ?? []).map((provider) => readProvider(kernel, tenantId, provider))),
    stored.some(({ bindings }) => bindings.some(({ kind }) => kind === 'role')) ? iam.roleNames(tenantId) : noRoles,
  ])
  const policies = stored.map((policy) => ({
    ...policy,
    document: complete(policy.document),
    bindings: policy.bindings.map((binding) => named(binding, roles)),
  }))
  return { providers, policies, compiled: new Map() }
}

const noRoles: ReadonlyMap<string, string> = new Map()

/** Roles are stored by id, because a role may be renamed; callers come with the names of theirs. */
function named(binding: Bound, roles: ReadonlyMap<string, string>): Bound {
  if (binding.kind !== 'role' || binding.value === undefined) return binding
  return { kind: 'role', value: roles.get(binding.value) ?? binding.value }
}

const configuration = sql<{ providers: readonly StoredProvider[]; policies: readonly StoredPolicy[] }>`
  select
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', p.name, 'kind', p.kind, 'base_url', p.base_url, 'models', to_jsonb(p.models),
        'timeouts', p.timeouts, 'status', p.status,
        'secrets', (select coalesce(jsonb_agg(jsonb_build_object(
            'id', s.id, 'name', s.name, 'ciphertext', encode(s.ciphertext, 'base64'), 'weight', s.weight,
            'expires_at', s.expires_at) order by s.name), '[]')
          from gateway_provider_secret s where s.provider_id = p.id),
        'known', (select coalesce(jsonb_agg(m.name order by m.name), '[]')
          from gateway_model m where m.provider_id = p.id)
      ) order by p.created_at, p.id), '[]')
      from gateway_provider p) as providers,
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', y.id, 'name', y.name, 'version', v.number, 'sha256', v.sha256, 'document', v.document,
        'bindings', y.bindings) order by y.id), '[]')
      from gateway_policy y
      join gateway_policy_version v on v.policy_id = y.id and v.number = y.active_version
      where y.status = 'published') as policies`

async function readProvider(kernel: Kernel, tenantId: TenantId, stored: StoredProvider): Promise<Provider> {
  return {
    id: stored.id,
    name: stored.name,
    kind: stored.kind,
    baseUrl: stored.base_url,
    models: stored.models,
    knownModels: stored.kind === 'echo' ? echoModels : stored.known,
    timeouts: timeoutsOf(stored.timeouts),
    secrets: await openSecrets(kernel, tenantId, stored),
    enabled: stored.status === 'enabled',
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
        baseUrl: stored.base_url,
      })
      const expiresAt = secret.expires_at === null ? null : Date.parse(secret.expires_at)
      return [{ id: secret.name, value, weight: secret.weight, expiresAt }]
    } catch (error) {
      kernel.log.error({ err: error, provider: stored.name, key: secret.name }, 'a provider key cannot be opened')
      return []
    }
  })
  return (await Promise.all(opened)).flat()
}
