import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../declared/errors.ts'
import { addModels } from '../models/models.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import { type Provider, timeoutsOf } from '../providers/provider.ts'
import type { ProviderRow, TestProvider, TestReport } from '../schemas/provider.ts'
import type { SecretInput } from '../schemas/provider-secret.ts'
import { providers } from '../schemas/tables.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { loadSnapshot } from '../snapshots/load.ts'
import { probe } from './provider-probe.ts'

/** Resolves, dials and asks a provider with each of its keys, without a caller's data. @throws API-013, GW-023 */
export async function testProvider(
  { kernel, iam }: Pick<GatewayServices, 'kernel' | 'iam'>,
  scope: TenantScope,
  id: string,
  input: TestProvider,
): Promise<TestReport> {
  await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => providers.need(tx, id))
  const snapshot = await loadSnapshot({ kernel, iam }, scope.tenantId)
  const provider = snapshot.providers.find((known) => known.id === id)
  if (provider === undefined) throw errors.unknownTarget({ what: 'The provider was removed.' })
  const report = await probe(kernel, provider, input)
  await kernel.db.tenant(scope, (tx) => recordTest(kernel, tx, { id, report, sync: input.sync_models === true }))
  return report
}

/** Asks a provider that is not stored, or not with these keys. @throws GW-015, GW-011, GW-023 */
export async function refuseUnlessWorking(
  kernel: Kernel,
  row: ProviderRow,
  secrets: readonly SecretInput[],
): Promise<void> {
  const report = await probe(kernel, providerFrom(row, secrets), {})
  const failed = report.checks.find(({ ok }) => !ok)
  if (failed === undefined) return
  if (failed.detail?.startsWith('credential') === true) {
    const detail = failed.detail.slice('credential: '.length)
    throw errors.credentialRejected({ provider: row.name, how: 'refused the given key' }).at([{ detail, pointer: '' }])
  }
  throw errors
    .upstreamFailed({ provider: row.name, how: 'did not pass its test' })
    .at([{ detail: failed.detail ?? 'It did not answer.', pointer: '/base_url' }])
}

function providerFrom(row: ProviderRow, secrets: readonly SecretInput[]): Provider {
  const { timeouts } = row
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    settings: row.settings,
    models: row.models,
    knownModels: [],
    timeouts: timeoutsOf(timeouts),
    secrets: secrets.map(({ id, value = '', ref, weight }) => ({
      id,
      value,
      ...(ref !== undefined && { reference: { tenantId: row.tenant_id, text: ref } }),
      weight: weight ?? 1,
      expiresAt: null,
    })),
    enabled: true,
  }
}

async function recordTest(
  kernel: Kernel,
  tx: Tx,
  { id, report, sync }: { readonly id: string; readonly report: TestReport; readonly sync: boolean },
): Promise<void> {
  await tx.execute(
    sql`update gateway_provider set tested_ok = ${report.ok}, tested_at = ${kernel.clock.iso()} where id = ${id}`,
  )
  if (sync && report.models_found.length > 0) {
    await addModels(kernel, tx, { providerId: id, names: report.models_found, source: 'synced' })
    await tx.announce(configurationTopic, id)
  }
  await tx.audit('gateway.provider.test', {
    target: `provider:${id}`,
    after: { ok: report.ok },
    result: report.ok ? 'success' : 'failed',
  })
}
