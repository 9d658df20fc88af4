import { Value } from 'typebox/value'
import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { emptyCall } from './call/call.ts'
import { errors } from './errors.ts'
import { addModels } from './models.ts'
import { loadSnapshot } from './policy/load.ts'
import { configurationTopic } from './policy/snapshot.ts'
import { echoModels } from './providers/echo.ts'
import { UpstreamFault } from './providers/fault.ts'
import { OpenAiModels } from './providers/openai-schema.ts'
import { openAiBaseUrl, type Provider, type ProviderSecret } from './providers/provider.ts'
import { askProvider, listModels } from './providers/upstream.ts'
import type { TestProvider, TestReport } from './schemas/provider.ts'
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
  if (provider.kind === 'echo')
    return { ok: true, checks: [{ name: 'offline', ok: true, ms: 0, detail: null }], models_found: [...echoModels] }
  const address = await kernel.egress.resolveAndCheck(provider.baseUrl ?? openAiBaseUrl)
  if (!address.ok) throw errors.addressRefused({ rule: address.rule })
  const chosen = provider.secrets.filter(({ id }) => input.key_id === undefined || id === input.key_id)
  const keys: readonly (ProviderSecret | null)[] = chosen.length > 0 ? chosen : [null]
  const checks: Check[] = []
  const found = new Set<string>()
  for (const key of keys) {
    checks.push(
      await check(kernel, `models${suffix(key)}`, async () =>
        readModels(await listModels(kernel, provider, key), found),
      ),
    )
    const { model } = input
    if (model !== undefined)
      checks.push(await check(kernel, `call${suffix(key)}`, () => tinyCall(kernel, { provider, key, model })))
  }
  return { ok: checks.every(({ ok }) => ok), checks, models_found: [...found].slice(0, mostModels) }
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

function readModels(text: string, found: Set<string>): void {
  const list = parsed(text)
  if (!Value.Check(OpenAiModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
  for (const { id } of list.data) if (/^[\x21-\x7e]{1,256}$/.test(id)) found.add(id)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new UpstreamFault('invalid', 'its list of models is not JSON', { cause: error })
  }
}

const tinyText = [
  { role: 'user', parts: [{ type: 'text', text: 'Say OK.' }], toolCalls: [], toolCallId: null, name: null },
] as const

async function tinyCall(
  kernel: Kernel,
  {
    provider,
    key,
    model,
  }: { readonly provider: Provider; readonly key: ProviderSecret | null; readonly model: string },
): Promise<void> {
  const call = { ...emptyCall, turns: tinyText, maxTokens: 5 }
  const events = askProvider(kernel, {
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
