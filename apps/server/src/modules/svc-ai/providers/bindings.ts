/**
 * The gateway's models by role, without a credential here: one that answers, one that makes vectors. Promises that a model
 * is bound only if the gateway knows it for the caller, and that a probe is a real call under the tenant's policies.
 * Tested in chat.test.ts and hybrid.test.ts.
 */
import { holds } from '../../../kernel/access/permissions.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { add, change, hold, newRow, resource } from '../../../kernel/resource/resource.ts'
import type { Asker } from '../../gateway/api.ts'
import { classes, type DataClass } from '../chunking/scan-words.ts'
import {
  type Binding,
  type BindingRow,
  type Bindings,
  bindingRoles,
  type PatchBinding,
} from '../declared/binding-schema.ts'
import { bindings } from '../declared/binding-table.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { askForAllVectors } from '../vectors/ask-for-vectors.ts'

const bindingResource = resource<BindingRow>({ table: bindings, kind: 'svc_ai_binding' })

type Kernel = SvcAiServices['kernel']

const unbound = {
  ...{ provider: null, model: null, temperature: null, max_tokens: null, timeout_ms: null },
  ...{ probed_at: null, probe_latency_ms: null },
}

/** The rows that every tenant has, one for each role. */
export async function addBindings(kernel: Kernel, tx: Tx): Promise<void> {
  const known = await tx.query(sql<Pick<BindingRow, 'role'>>`select role from svc_ai_binding`)
  const missing = bindingRoles.filter((role) => !known.some((row) => row.role === role))
  for (const role of missing) await add(tx, bindingResource, { ...newRow(kernel, tx), role, ...unbound })
}

/** Tenants that were there before this module, or before one of its roles. */
export const bindingsJob: JobDeclaration<SvcAiServices> = {
  kind: 'svc_ai.bindings',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: () => sql`(
    select count(*) from svc_ai_binding held where held.tenant_id = tenant.id) < ${bindingRoles.length}`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      await tx.lock('svc-ai.bindings', tx.tenantId)
      await addBindings(kernel, tx)
    }),
}

export interface BoundModel {
  readonly provider: string | null
  readonly model: string
  readonly temperature: number | null
  readonly max_tokens: number | null
  readonly timeout_ms: number | null
}

/** Null where no model is bound to the role. */
export async function boundModel(
  kernel: Pick<Kernel, 'db'>,
  { tenantId }: Pick<TenantScope, 'tenantId'>,
  role: BindingRow['role'],
): Promise<BoundModel | null> {
  const [row] = await kernel.db.read(
    tenantId,
    sql<Omit<BoundModel, 'model'> & Pick<BindingRow, 'model'>>`
      select provider, model, temperature, max_tokens, timeout_ms from svc_ai_binding where role = ${role}`,
  )
  return row === undefined || row.model === null ? null : { ...row, model: row.model }
}

/** @throws SVC-005 where no model is bound */
export async function boundChatModel(kernel: Kernel, scope: TenantScope): Promise<BoundModel> {
  const bound = await boundModel(kernel, scope, 'chat')
  if (bound === null) throw errors.chatUnbound()
  return bound
}

/** Where a call to a bound model goes. */
export const destinationOf = ({ provider, model }: Pick<BoundModel, 'provider' | 'model'>) => ({
  model,
  ...(provider === null ? {} : { provider }),
})

export interface BindingList {
  readonly scope: TenantScope
  readonly asker: Asker
}

export async function listBindings(services: SvcAiServices, { scope, asker }: BindingList): Promise<Bindings> {
  const { kernel } = services
  const { rows, candidates } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => ({
    rows: await tx.query(sql<BindingRow>`select ${bindings.columns} from svc_ai_binding order by role`),
    candidates: await candidatesOf(services, tx, asker),
  }))
  const shown: Binding[] = []
  for (const row of rows) shown.push((await bindingView(services, asker, { row, candidates })).data)
  return { bindings: shown }
}

async function candidatesOf({ facts }: SvcAiServices, tx: Tx, { actor }: Asker): Promise<Binding['candidates']> {
  if (!holds(actor.permissions, 'gateway:read')) return []
  const { data } = await facts().read(tx, 'gateway.providers', { caller: actor })
  const providers = data.providers as readonly { name: string; kind: string; status: string }[]
  return providers.slice(0, 200).map(({ name, kind, status }) => ({ provider: name, kind, status }))
}

interface Viewed {
  readonly row: BindingRow
  readonly candidates: Binding['candidates']
}

async function bindingView(
  services: SvcAiServices,
  asker: Asker,
  { row, candidates }: Viewed,
): Promise<Versioned<Binding>> {
  const { version, probed_at: at, probe_latency_ms: latency, ...shown } = row
  const highest = await highestClass(services, asker, row)
  const view = {
    ...{ ...shown, candidates, max_classification: highest },
    status: row.model === null ? ('unbound' as const) : highest === null ? ('down' as const) : ('ready' as const),
    last_probe: at === null || latency === null ? null : { at, latency_ms: latency },
  }
  return new Versioned(view, version)
}

async function highestClass(
  { gateway }: SvcAiServices,
  asker: Asker,
  { provider, model }: BindingRow,
): Promise<DataClass | null> {
  if (model === null) return null
  for (const name of classes.toReversed()) {
    const clearance = await gateway
      .providerClearance(asker, destinationOf({ provider, model }), name)
      .catch((error: unknown) => {
        if (error instanceof ProblemError) return { cleared: false }
        throw error
      })
    if (clearance.cleared) return name
  }
  return null
}

export interface Rebinding {
  readonly scope: TenantScope
  readonly asker: Asker
  readonly id: string
  readonly precondition: Precondition
  readonly input: PatchBinding
  /** Makes one real call first. */
  readonly probe: boolean
}

/** @throws API-012, API-013, SVC-016, SVC-017, and where it probes the gateway's */
export async function changeBinding(services: SvcAiServices, ask: Rebinding): Promise<Versioned<Binding>> {
  const { kernel } = services
  const { scope, asker, id, precondition, input } = ask
  const before = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => bindings.need(tx, id))
  precondition.expectVersion(before.version)
  const wanted = { ...before, ...input }
  if (wanted.model === null && wanted.provider !== null)
    throw errors
      .targetUnknown({ what: 'A provider is bound with a model.' })
      .at([{ detail: 'is needed', pointer: '/model' }])
  refuseForeignParameters(wanted)
  const latency = await checkTarget(services, ask, wanted)
  const probed = latency === null ? {} : { probed_at: kernel.clock.iso(), probe_latency_ms: latency }
  const { row, candidates } = await kernel.db.tenant(scope, async (tx) => {
    const held = await hold(tx, bindingResource, { id, precondition })
    const changes = { ...input, ...probed }
    const isOther = held.row.model !== wanted.model || held.row.provider !== wanted.provider
    const row = await change(kernel, tx, held, { action: 'svc_ai.binding.update', changes })
    if (row.role === 'embedding' && isOther) await askForAllVectors(tx)
    return { row, candidates: await candidatesOf(services, tx, asker) }
  })
  return bindingView(services, asker, { row, candidates })
}

/** @throws SVC-017 for parameters of chat at the role `embedding` */
function refuseForeignParameters({ role, temperature, max_tokens: tokens, timeout_ms: timeout }: BindingRow): void {
  if (role === 'chat' || (temperature ?? tokens ?? timeout) === null) return
  const pointer = temperature !== null ? '/temperature' : tokens !== null ? '/max_tokens' : '/timeout_ms'
  throw errors
    .cannotServe({ what: `The role ${role} has no such parameter. Leave it out.` })
    .at([{ detail: 'is a parameter of the role chat', pointer }])
}

/** Milliseconds of the probe; null without one. */
async function checkTarget(
  services: SvcAiServices,
  { asker, probe }: Rebinding,
  { provider, model, role }: BindingRow,
): Promise<number | null> {
  if (model === null) return null
  const { gateway, kernel } = services
  const where = destinationOf({ provider, model })
  const { targets } = await gateway.providerClearance(asker, where, 'public').catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.status >= 500) throw error
    throw errors
      .targetUnknown({ what: error.message })
      .at([{ detail: 'is not known to the gateway', pointer: '/model' }])
  })
  if (targets.length === 0)
    throw errors
      .cannotServe({ what: 'No provider serves this model.' })
      .at([{ detail: 'is served by nobody', pointer: '/model' }])
  if (!probe) return null
  const begun = kernel.clock.monotonic()
  await probed(services, asker, { role, where })
  return Math.round(kernel.clock.monotonic() - begun)
}

interface Probe {
  readonly role: BindingRow['role']
  readonly where: ReturnType<typeof destinationOf>
}

async function probed({ gateway }: SvcAiServices, asker: Asker, { role, where }: Probe): Promise<void> {
  const metadata = { tag: 'svc-ai' }
  if (role === 'embedding') {
    await gateway.embed(asker, { ...where, inputs: ['ready'], metadata })
    return
  }
  const messages = [{ role: 'user' as const, content: 'Reply with the word ready.' }]
  await gateway.complete(asker, { ...where, messages, max_tokens: 16, metadata, cache: { mode: 'off' } })
}
