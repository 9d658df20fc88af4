import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { add, change, create, hold, newRow, type Removed, remove, resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../declared/errors.ts'
import { addModels } from '../models/models.ts'
import { configurationTopic } from '../policy/snapshot.ts'
import { echoModels } from '../providers/adapters/echo/echo.ts'
import { needsAddress } from '../providers/vendors/registry.ts'
import { refuseInUse } from '../routes/routes.ts'
import type { CreateProvider, PatchProvider, Provider, ProviderRow } from '../schemas/provider.ts'
import { noLimits } from '../schemas/provider-limits.ts'
import type { ProviderSecretRow } from '../schemas/provider-secret.ts'
import { providerSecrets, providers } from '../schemas/tables.ts'
import { defaultTimeouts } from '../schemas/timeouts.ts'
import { checkSecrets, sealAll } from './provider-keys.ts'
import { changePool, isKept, mayKeepKeys, placeAfter, shredKeys } from './provider-pool.ts'
import { checkSettings } from './provider-settings.ts'
import { refuseUnlessWorking } from './provider-test.ts'
import { providerOf } from './provider-views.ts'
import { refusedAddress } from './refused-address.ts'

export const providerResource = resource({
  table: providers,
  kind: 'provider',
  announces: configurationTopic,
  unique: { gateway_provider_name: ({ name }) => errors.nameTaken({ what: 'provider', name }) },
})

/** Registers a provider, after asking it when `test` is set. @throws GW-023, GW-031, API-001, GW-015, GW-011 */
export async function createProvider(
  kernel: Kernel,
  scope: TenantScope,
  input: CreateProvider,
): Promise<Versioned<Provider>> {
  await checkAddress(kernel, input)
  checkSettings(input.kind, input.settings ?? {})
  checkSecrets(kernel, { kind: input.kind, tenantId: scope.tenantId }, input.secrets ?? [])
  const row = newProvider(kernel, scope.tenantId, input)
  if (input.test === true) await refuseUnlessWorking(kernel, row, input.secrets ?? [])
  const secrets = await sealAll(kernel, { ...row, tenantId: scope.tenantId }, input.secrets ?? [])
  return kernel.db.tenant(scope, async (tx) => {
    await insertProvider(kernel, tx, { row, secrets })
    return new Versioned(await providerOf(tx, row), row.version)
  })
}

function newProvider(kernel: Pick<Kernel, 'clock' | 'random'>, tenantId: string, input: CreateProvider): ProviderRow {
  return {
    ...newRow(kernel, { tenantId }),
    name: input.name,
    kind: input.kind,
    base_url: input.base_url ?? null,
    settings: input.settings ?? {},
    models: input.models ?? [],
    timeouts: { ...defaultTimeouts, ...input.timeouts },
    residency: input.residency ?? [],
    zero_retention: input.zero_retention ?? false,
    max_classification: input.max_classification ?? null,
    continue_trace: input.continue_trace ?? false,
    limits: { ...noLimits, ...input.limits },
    terms: { ...noTerms, ...input.terms },
    status: input.status ?? 'enabled',
    health_state: 'unknown',
    health_reason: null,
    health_since: null,
    tested_ok: null,
    tested_at: null,
  }
}

const noTerms: ProviderRow['terms'] = { training_opt_out: null, retention_days: null, reviewed_at: null }

async function insertProvider(
  kernel: Kernel,
  tx: Tx,
  { row, secrets }: { readonly row: ProviderRow; readonly secrets: readonly ProviderSecretRow[] },
): Promise<void> {
  await create(tx, providerResource, row, { action: 'gateway.provider.create' })
  await insertMany(tx, providerSecrets, secrets)
  await addModels(kernel, tx, { providerId: row.id, names: exactNames(row.models), source: 'declared' })
}

/** The demo provider and its models, for a new tenant. */
export async function seedDemoProvider(kernel: Kernel, tx: Tx): Promise<void> {
  const row = newProvider(kernel, tx.tenantId, { name: 'echo', kind: 'echo' })
  await add(tx, providerResource, row)
  await addModels(kernel, tx, { providerId: row.id, names: echoModels, source: 'builtin' })
}

/** The checks a schema cannot make: which kinds have an address, and whether the network guard lets it through. @throws GW-023 */
async function checkAddress(
  { egress }: Pick<Kernel, 'egress'>,
  { kind, base_url: url, secrets }: Pick<CreateProvider, 'kind' | 'base_url' | 'secrets'>,
): Promise<void> {
  if (kind === 'echo' && (url !== undefined || (secrets?.length ?? 0) > 0)) {
    throw apiErrors
      .validation({ what: 'The built-in provider has neither an address nor keys.' })
      .at([{ detail: 'Leave this out.', pointer: '/base_url' }])
  }
  if (needsAddress(kind) && url === undefined) {
    throw apiErrors
      .validation({ what: 'This kind of provider needs an address.' })
      .at([{ detail: 'This field is required.', pointer: '/base_url' }])
  }
  if (url === undefined) return
  const check = await egress.resolveAndCheckBase(url)
  if (!check.ok) throw refusedAddress(check.rule)
}

function exactNames(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => !glob.includes('*'))
}

export interface ProviderChange {
  readonly id: string
  readonly input: PatchProvider
  readonly precondition: Precondition
}

/** Changes a provider and its keys. An address of another origin needs its keys again. @throws API-013, API-012, GW-023, GW-031 */
export async function patchProvider(
  kernel: Kernel,
  scope: TenantScope,
  change: ProviderChange,
): Promise<Versioned<Provider>> {
  const { id, input } = change
  const known = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => providers.need(tx, id))
  // Whether an address may be called does not depend on the row, so no row waits for a name server.
  if (input.base_url !== undefined) await checkAddress(kernel, { kind: known.kind, base_url: input.base_url })
  if (input.settings !== undefined) checkSettings(known.kind, input.settings)
  const owner = { kind: known.kind, tenantId: scope.tenantId, mayKeep: mayKeepKeys(known, input) }
  checkSecrets(kernel, owner, input.secrets ?? [])
  const named = input.secrets?.filter((secret) => !isKept(secret)) ?? []
  const given = await sealAll(kernel, { id, tenantId: scope.tenantId, ...placeAfter(known, input) }, named)
  return kernel.db.tenant(scope, async (tx) => {
    const row = await applyPatch(kernel, tx, { ...change, given })
    return new Versioned(await providerOf(tx, row), row.version)
  })
}

async function applyPatch(
  kernel: Kernel,
  tx: Tx,
  { id, input, precondition, given }: ProviderChange & { readonly given: readonly ProviderSecretRow[] },
): Promise<ProviderRow> {
  const held = await hold(tx, providerResource, { id, precondition })
  const { row } = held
  const moves = await changePool(tx, { row, input, given })
  const { secrets: _, timeouts, limits, terms, ...plain } = input
  const changes = {
    ...plain,
    ...(timeouts === undefined ? {} : { timeouts: { ...row.timeouts, ...timeouts } }),
    ...(limits === undefined ? {} : { limits: { ...row.limits, ...limits } }),
    ...(terms === undefined ? {} : { terms: { ...row.terms, ...terms } }),
  }
  const patched = await change(kernel, tx, held, {
    action: 'gateway.provider.update',
    changes,
    after: (changed) => ({ ...changed, ...moves }),
  })
  await addModels(kernel, tx, { providerId: id, names: exactNames(patched.models), source: 'declared' })
  return patched
}

/** Removes a provider and its keys. @throws API-013, API-012, GW-024 */
export async function deleteProvider(tx: Tx, id: string, precondition: Precondition): Promise<Removed> {
  const held = await hold(tx, providerResource, { id, precondition })
  await refuseInUse(tx, id)
  await shredKeys(tx, sql`provider_id = ${id}`)
  return remove(tx, held, { action: 'gateway.provider.delete' })
}
