import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { emptyCall } from './call/call.ts'
import { errors } from './errors.ts'
import { addModels } from './models.ts'
import { loadSnapshot } from './policy/load.ts'
import { configurationTopic } from './policy/snapshot.ts'
import { UpstreamFault } from './providers/fault.ts'
import { type Provider, type ProviderSecret, timeoutsOf } from './providers/provider.ts'
import { adapterOf, addressOf } from './providers/registry.ts'
import { createUpstream, type Upstream } from './providers/upstream.ts'
import type { ProviderRow, TestProvider, TestReport } from './schemas/provider.ts'
import type { SecretInput } from './schemas/provider-secret.ts'
import type { GatewayServices } from './services.ts'
import { providers } from './tables.ts'

type Check = TestReport['checks'][number]

/** Models kept of one provider's list. */
const mostModels = 2000

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

/** Makes the checks; stores nothing. @throws GW-023 */
export async function probe(kernel: Kernel, provider: Provider, input: TestProvider): Promise<TestReport> {
  const adapter = adapterOf(provider.kind)
  if (adapter.over === 'process') {
    const offline = { name: 'offline', ok: true, ms: 0, detail: null }
    return { ok: true, checks: [offline], models_found: [...adapter.knownModels] }
  }
  const upstream = createUpstream(kernel)
  const address = await kernel.egress.resolveAndCheck(addressOf(provider) ?? '')
  if (!address.ok) throw errors.addressRefused({ rule: address.rule })
  const chosen = provider.secrets.filter(
    ({ id, standby }) => standby !== true && (input.key_id === undefined || id === input.key_id),
  )
  const keys: readonly (ProviderSecret | null)[] = chosen.length > 0 ? chosen : [null]
  const checks: Check[] = []
  const found = new Set<string>()
  for (const key of keys) {
    // What was read a moment ago says nothing about whether it can be read.
    if (key?.reference !== undefined) kernel.namedSecrets.forget(key.reference)
    checks.push(
      await check(kernel, `models${suffix(key)}`, async () => keepNames(await upstream.models(provider, key), found)),
    )
    const { model } = input
    if (model !== undefined)
      checks.push(await check(kernel, `call${suffix(key)}`, () => tinyCall(upstream, { provider, key, model })))
  }
  return { ok: checks.every(({ ok }) => ok), checks, models_found: [...found].slice(0, mostModels) }
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
    throw errors.credentialRejected({ provider: row.name }).at([{ detail, pointer: '' }])
  }
  throw errors
    .upstreamFailed({ provider: row.name })
    .at([{ detail: failed.detail ?? 'The provider did not answer.', pointer: '/base_url' }])
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

const suffix = (key: ProviderSecret | null): string => (key === null ? '' : `:${key.id}`)

async function check({ clock }: Kernel, name: string, work: () => Promise<void> | void): Promise<Check> {
  const startedMs = clock.monotonic()
  const done = (ok: boolean, detail: string | null): Check => ({
    name,
    ok,
    ms: Math.round((clock.monotonic() - startedMs) * 1000) / 1000,
    detail,
  })
  try {
    await work()
    return done(true, null)
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    return done(false, `${error.kind}: ${error.message}`.slice(0, 500))
  }
}

function keepNames(names: readonly string[], found: Set<string>): void {
  for (const name of names) if (/^[\x21-\x7e]{1,256}$/.test(name)) found.add(name)
}

const tinyText = [
  { role: 'user', parts: [{ type: 'text', text: 'Say OK.' }], toolCalls: [], toolCallId: null, name: null },
] as const

async function tinyCall(
  upstream: Upstream,
  {
    provider,
    key,
    model,
  }: { readonly provider: Provider; readonly key: ProviderSecret | null; readonly model: string },
): Promise<void> {
  const call = { ...emptyCall, turns: tinyText, maxTokens: 5 }
  const events = upstream.ask({
    call,
    target: { provider, model },
    secret: key,
    stream: false,
    signal: new AbortController().signal,
  })
  for await (const _ of events) {
    // Read to its end, so that a broken answer shows.
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
