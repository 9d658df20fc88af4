/**
 * The gateway's model that answers: bound by role, without a credential here. Promises that a model is bound only if the
 * gateway knows it for the caller, and that a probe is a real call under the tenant's policies. Tested in
 * providers.test.ts.
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
import type { Binding, BindingRow, Bindings, PatchBinding } from '../declared/binding-schema.ts'
import { bindings } from '../declared/binding-table.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

const bindingResource = resource<BindingRow>({ table: bindings, kind: 'svc_ai_binding' })

type Kernel = SvcAiServices['kernel']

/** The rows that every tenant has. */
export async function addBindings(kernel: Kernel, tx: Tx): Promise<void> {
  const unbound = { provider: null, model: null, temperature: null, max_tokens: null, timeout_ms: null }
  const row: BindingRow = { ...newRow(kernel, tx), role: 'chat', ...unbound, probed_at: null, probe_latency_ms: null }
  const known = await tx.first(sql`select id from svc_ai_binding where role = 'chat'`)
  if (known === null) await add(tx, bindingResource, row)
}

/** Tenants that were there before this module. */
export const bindingsJob: JobDeclaration<SvcAiServices> = {
  kind: 'svc_ai.bindings',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: () => sql`not exists (select from svc_ai_binding held where held.tenant_id = tenant.id)`,
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

/** @throws SVC-005 where no model is bound */
export async function boundChatModel(kernel: Kernel, { tenantId }: TenantScope): Promise<BoundModel> {
  const [row] = await kernel.db.read(
    tenantId,
    sql<Omit<BoundModel, 'model'> & Pick<BindingRow, 'model'>>`
      select provider, model, temperature, max_tokens, timeout_ms from svc_ai_binding where role = 'chat'`,
  )
  if (row === undefined || row.model === null) throw errors.chatUnbound()
  return { ...row, model: row.model }
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
  const latency = await checkTarget(services, ask, wanted)
  const probed = latency === null ? {} : { probed_at: kernel.clock.iso(), probe_latency_ms: latency }
  const { row, candidates } = await kernel.db.tenant(scope, async (tx) => {
    const held = await hold(tx, bindingResource, { id, precondition })
    const changes = { ...input, ...probed }
    return {
      row: await change(kernel, tx, held, { action: 'svc_ai.binding.update', changes }),
      candidates: await candidatesOf(services, tx, asker),
    }
  })
  return bindingView(services, asker, { row, candidates })
}

/** Milliseconds of the probe; null without one. */
async function checkTarget(
  { gateway, kernel }: SvcAiServices,
  { asker, probe }: Rebinding,
  { provider, model }: BindingRow,
): Promise<number | null> {
  if (model === null) return null
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
  const messages = [{ role: 'user' as const, content: 'Reply with the word ready.' }]
  await gateway.complete(asker, {
    ...where,
    messages,
    max_tokens: 16,
    metadata: { tag: 'svc-ai' },
    cache: { mode: 'off' },
  })
  return Math.round(kernel.clock.monotonic() - begun)
}
