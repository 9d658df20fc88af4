/**
 * Models of providers that accept any model and whose own list was never read: the list is read on the first request
 * for their names, and kept. A list of models waits for each provider once and briefly, and a provider that does not
 * answer is left out. Tested in ../endpoints/vendor-lists.test.ts.
 */
import type { TenantScope } from '../../../kernel/db/port.ts'
import { configurationTopic, type TenantSnapshot } from '../policy/snapshot.ts'
import type { Provider } from '../providers/provider.ts'
import { adapterOf } from '../providers/vendors/registry.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { addModels } from './models.ts'

/** Milliseconds that a list waits for a provider, and for which a failed provider is not asked again. */
const patienceMs = 3000
const restMs = 300_000
const mostModels = 2000

/** Times until which providers without a list are not asked again; per process. */
const restsUntil = new WeakMap<GatewayServices, Map<string, number>>()

/** The configuration of the tenant, with the model names of its providers. */
export async function snapshotWithModels(services: GatewayServices, scope: TenantScope): Promise<TenantSnapshot> {
  const snapshot = await services.snapshots.get(scope.tenantId)
  const rests = restsUntil.get(services) ?? new Map<string, number>()
  restsUntil.set(services, rests)
  const now = services.kernel.clock.now()
  const unknown = snapshot.providers.filter((provider) => isUnlisted(provider) && (rests.get(provider.id) ?? 0) <= now)
  if (unknown.length === 0) return snapshot
  for (const { id } of unknown) rests.set(id, now + restMs)
  const lists = await Promise.all(unknown.map((provider) => namesAt(services, provider)))
  const found = lists.filter(({ names }) => names.length > 0)
  if (found.length === 0) return snapshot
  await services.kernel.db.tenant(scope, async (tx) => {
    for (const { id, names } of found) {
      await addModels(services.kernel, tx, { providerId: id, names, source: 'synced' })
      await tx.announce(configurationTopic, id)
    }
  })
  const namesOf = new Map(found.map(({ id, names }) => [id, names]))
  const providers = snapshot.providers.map((one) => ({ ...one, knownModels: namesOf.get(one.id) ?? one.knownModels }))
  return { ...snapshot, providers }
}

/** Exact names need no list. */
function isUnlisted({ enabled, kind, models, knownModels }: Provider): boolean {
  const adapter = adapterOf(kind)
  const takesAny = models.length === 0 || models.some((name) => name.includes('*'))
  return enabled && takesAny && knownModels.length === 0 && adapter.over === 'network' && adapter.models !== null
}

async function namesAt({ parts }: GatewayServices, provider: Provider) {
  const { id, timeouts, secrets } = provider
  const bounded = { ...timeouts, firstByteMs: Math.min(timeouts.firstByteMs, patienceMs), totalMs: patienceMs }
  const [secret = null] = secrets.filter(({ standby }) => standby !== true)
  try {
    const names = await parts.upstream.models({ ...provider, timeouts: bounded }, secret)
    return { id, names: names.filter((name) => /^[\x21-\x7e]{1,256}$/.test(name)).slice(0, mostModels) }
  } catch {
    // The list of models continues without it; a test of the provider shows the error.
    return { id, names: [] }
  }
}
