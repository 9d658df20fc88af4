/**
 * An integration is made, and changed by its next version: a POST with its name. Members that are left out stay as they were;
 * the credentials go in and never come out. Tested in integrations.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, create, hold, newRow } from '../../../kernel/resource/resource.ts'
import { newSecret, rotatedSecrets } from '../../../kernel/webhooks/sign.ts'
import type { IntegrationRow, MadeIntegration, NewIntegration } from '../declared/integration-schema.ts'
import { integrations, integrationVersions } from '../declared/integration-tables.ts'
import { subscribe } from '../declared/subscribe.ts'
import { askForAttempts, cancelOpen } from '../deliveries/queue.ts'
import { noSecrets, openSecrets, type Secrets, sealSecrets } from '../deliveries/sealed.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { checkDefinition } from './check.ts'
import { integrationResource } from './resource.ts'
import { healthOf, integrationView } from './view.ts'

export interface Saving {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly input: NewIntegration
}

/** @throws API-001, PLAT-011, PLAT-019, PLAT-020 */
export async function saveIntegration(services: PlatformServices, saving: Saving): Promise<MadeIntegration> {
  const { kernel } = services
  const { scope, input } = saving
  const before = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => findLive(tx, input.name))
  refuseOther(input, before)
  const id = before?.id ?? kernel.random.uuid()
  const secrets =
    before === null ? noSecrets : await openSecrets(kernel, { tenantId: scope.tenantId, id }, before.sealed)
  const merged = merge(input, before)
  const next = await nextSecrets(kernel, { input, before, secrets, archived: merged.status === 'archived' })
  if (merged.status !== 'archived') await checkDefinition(kernel, { ...merged, credentials: next.secrets.credentials })
  const sealed = next.isEmpty ? null : await sealSecrets(kernel, { tenantId: scope.tenantId, id }, next.secrets)
  return kernel.db.tenant(scope, async (tx) => {
    const row = await store(kernel, tx, { saving, before, id, merged, next, sealed })
    const view = integrationView(row, await healthOf(tx, kernel.clock.now(), row))
    return next.shown === null ? view : { ...view, secret: next.shown }
  })
}

const findLive = (tx: Tx, name: string): Promise<IntegrationRow | null> =>
  tx.first(sql<IntegrationRow>`
    select ${integrations.columns} from platform_integration where lower(name) = lower(${name}) and status <> 'archived'`)

function refuseOther({ kind, expected_version: expected }: NewIntegration, before: IntegrationRow | null): void {
  if (expected !== undefined && expected !== (before?.version ?? 0))
    throw errors.versionDiffers({ kind: 'integration', version: before?.version ?? 0 })
  if (before !== null && before.kind !== kind)
    throw errors
      .configInvalid({ what: `The integration is of the kind ${before.kind}, which stays. Choose another name.` })
      .at([{ detail: 'is not the kind of this integration', pointer: '/kind' }])
}

type Definition = Pick<IntegrationRow, 'name' | 'kind' | 'status' | 'config' | 'events' | 'filter' | 'ordered'>

function merge(input: NewIntegration, before: IntegrationRow | null): Definition {
  return {
    ...{ name: before?.name ?? input.name, kind: input.kind },
    status: input.status ?? (before === null || before.status === 'disabled' ? 'active' : before.status),
    config: input.config ?? before?.config ?? {},
    events: [...new Set(input.events ?? before?.events ?? [])],
    filter: input.filter === undefined ? (before?.filter ?? null) : input.filter,
    ordered: input.ordered ?? before?.ordered ?? false,
  }
}

interface NextSecrets {
  readonly secrets: Secrets
  readonly isEmpty: boolean
  readonly changed: boolean
  /** Of this answer alone. */
  readonly shown: string | null
  readonly previousUntil: string | null
}

interface SecretWish {
  readonly input: NewIntegration
  readonly before: IntegrationRow | null
  readonly secrets: Secrets
  readonly archived: boolean
}

/** @throws PLAT-019 for a rotation of what has no signing secret */
async function nextSecrets(
  { clock, random }: Kernel,
  { input, before, secrets, archived }: SecretWish,
): Promise<NextSecrets> {
  const kept = { isEmpty: false, changed: input.credentials !== undefined, shown: null, previousUntil: null }
  if (archived) return { ...kept, secrets: noSecrets, isEmpty: true, changed: true }
  const credentials = input.credentials ?? secrets.credentials
  const isWebhook = input.kind === 'webhook'
  if (!isWebhook && input.rotate_secret === true)
    throw errors
      .configInvalid({ what: 'Only webhooks have a signing secret to rotate.' })
      .at([{ detail: 'is for webhooks', pointer: '/rotate_secret' }])
  if (!isWebhook) return { ...kept, secrets: { credentials, signing: [] } }
  if (secrets.signing.length > 0 && input.rotate_secret !== true)
    return {
      ...kept,
      secrets: { credentials, signing: secrets.signing },
      previousUntil: before?.previous_secret_until ?? null,
    }
  const shown = newSecret(random)
  const overlapMs = (input.overlap_hours ?? 24) * 3_600_000
  const signing = rotatedSecrets(secrets.signing, shown, { nowMs: clock.now(), overlapMs })
  return { ...kept, secrets: { credentials, signing }, changed: true, shown, previousUntil: signing[1]?.until ?? null }
}

interface Storing {
  readonly saving: Saving
  readonly before: IntegrationRow | null
  readonly id: string
  readonly merged: Definition
  readonly next: NextSecrets
  readonly sealed: Uint8Array | null
}

async function store(kernel: Kernel, tx: Tx, storing: Storing): Promise<IntegrationRow> {
  const { saving, before, id, merged, next, sealed } = storing
  const said = { action: 'platform.integration.create', after: withoutSecrets }
  const stored = {
    ...merged,
    ...{ sealed, has_credentials: Object.keys(next.secrets.credentials).length > 0 },
    previous_secret_until: next.previousUntil,
    ...{ failing_since: null, paused_until: null, failures: 0, disabled_reason: null },
  }
  let row: IntegrationRow
  if (before === null) {
    row = { ...newRow(kernel, tx), id, ...stored, last_success_at: null, last_error: null }
    await create(tx, integrationResource, row, said)
  } else {
    const held = await hold(tx, integrationResource, { id, precondition: anyVersion })
    // A version that was stored between the reading and the writing is not overwritten.
    if (held.row.version !== before.version)
      throw errors.versionDiffers({ kind: 'integration', version: held.row.version })
    row = await change(kernel, tx, held, { ...said, before: withoutSecrets(held.row), changes: stored })
  }
  await integrationVersions.insert(tx, versionOf(kernel, tx, { row, saving, changed: next.changed }))
  await subscribe(kernel, tx, {
    ...{ owner: 'integration', ownerId: id },
    patterns: row.status === 'active' ? row.events : [],
  })
  if (row.status === 'archived') await cancelOpen(tx, { integrationId: id, at: kernel.clock.iso() })
  if (row.status === 'active' && before !== null) await askForAttempts(tx, id)
  return row
}

function versionOf(
  { random, clock }: Kernel,
  tx: Tx,
  { row, saving, changed }: { readonly row: IntegrationRow; readonly saving: Saving; readonly changed: boolean },
) {
  const { name, kind, status, config, events, filter, ordered } = row
  return {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: clock.iso() },
    ...{ integration_id: row.id, number: row.version, created_by: saving.actor.userId, secrets_changed: changed },
    ...{ name, kind, status, config, events, filter, ordered },
  }
}

const withoutSecrets = ({ sealed: _sealed, ...shown }: IntegrationRow): unknown => shown

/** @throws API-001 */
export function refuseEmpty(input: NewIntegration): void {
  if (input.overlap_hours === undefined || input.rotate_secret === true) return
  throw apiErrors
    .validation({ what: '`overlap_hours` goes with `rotate_secret`.' })
    .at([{ detail: 'goes with rotate_secret', pointer: '/overlap_hours' }])
}
