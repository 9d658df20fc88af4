/**
 * Fulfils requests of data subjects: an export, or an erasure with its certificate. An erasure is noted in the ledger before
 * its first deletion, goes on where an attempt broke off, and is complete only when a search of everything stored finds
 * nothing more. Tested in erasure.test.ts and requests.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { keyOf } from '../consent/memory.ts'
import { hashesOf } from '../consent/people.ts'
import { setStatus } from '../consent/record.ts'
import type { ErasureRow, Residue, RunRow, Verification } from '../declared/retention-schema.ts'
import { erasures, runs } from '../declared/retention-tables.ts'
import { erasureCompleted } from '../retention/events.ts'
import { isErasable } from '../retention/registry.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { certificateOf, searchMethod } from './certificate.ts'
import { eraseMentions, eraseOwned, type Person } from './erase.ts'
import { exportLines } from './export.ts'
import { openAliases, personIn } from './people.ts'
import { groundOf } from './plan.ts'
import { fulfilRectification } from './rectify.ts'
import { type Search, searchEverywhere } from './search.ts'

export const fulfilJob = 'data_gov.request'
const exportDays = 14
const dayMs = 86_400_000
const mostExport = 1024 * 1_048_576

export const fulfilRuns: JobDeclaration<DataGovServices> = {
  kind: fulfilJob,
  lane: 'long',
  maxAttempts: 10,
  leaseMs: 60_000,
  everyMs: null,
  run: async (context) => {
    const { kernel } = context.services
    const id = String(context.payload.run_id)
    const run = await kernel.db.tenant({ tenantId: context.tenantId, readOnly: true }, (tx) => runs.get(tx, id))
    if (run === null || run.status !== 'fulfilling') return
    if (run.request_type === 'erasure') await fulfilErasure(context, run)
    else if (run.request_type === 'rectification') await fulfilRectification(context, run)
    else await fulfilExport(context, run)
  },
}

type Context = JobContext<DataGovServices>

async function fulfilExport({ services, tenantId, complete }: Context, run: RunRow): Promise<void> {
  const { kernel } = services
  const aliases = await openAliases(kernel, run)
  const person = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => personIn(kernel, tx, aliases))
  const blob = await kernel.blobs.put(tenantId, exportLines(kernel, { tenantId, run, person }), {
    maxBytes: mostExport,
  })
  const now = kernel.clock.now()
  await complete(async (tx) => {
    await runs.patchVersion(tx, run.id, {
      ...{ status: 'completed', export_id: blob.id, completed_at: kernel.clock.iso(), sealed_aliases: null },
      export_expires_at: new Date(now + exportDays * dayMs).toISOString(),
    })
  })
}

async function fulfilErasure({ services, tenantId, complete, progress }: Context, run: RunRow): Promise<void> {
  const { kernel } = services
  const aliases = await openAliases(kernel, run)
  const person = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => personIn(kernel, tx, aliases))
  const hashes = await hashesOf(
    services,
    tenantId,
    person.aliases.map((value) => ({ value })),
  )
  await noteIntent(kernel, tenantId, { run, person, hashes })
  await endExports(kernel, tenantId, run)
  await progress(0.1)
  await eraseOwned(services, { tenantId, runId: run.id, person })
  await progress(0.4)
  const wanted = { tenantId, values: person.aliases, runId: run.id }
  const first = await searchEverywhere(kernel, { ...wanted, withFiles: false })
  await eraseMentions(kernel, { tenantId, runId: run.id, person }, first.mentions)
  await progress(0.7)
  const again = await searchEverywhere(kernel, { ...wanted, withFiles: true })
  const verification = await verificationOf(kernel, tenantId, again)
  await complete((tx) => conclude(kernel, tx, { id: run.id, verification }))
}

interface Intent {
  readonly run: RunRow
  readonly person: Person
  readonly hashes: readonly string[]
}

/** Before the first deletion, and once for a request. */
async function noteIntent(kernel: Kernel, tenantId: TenantId, { run, person, hashes }: Intent): Promise<void> {
  await kernel.db.tenant({ tenantId }, async (tx) => {
    if ((await tx.first(sql`select id from data_gov_erasure where run_id = ${run.id}`)) !== null) return
    const row: ErasureRow = {
      ...{ id: kernel.random.uuid(), tenant_id: tenantId, created_at: kernel.clock.iso(), run_id: run.id },
      ...{ subject_id: run.subject_id, hashes: [...hashes], user_ids: [...person.userIds] },
      lengths: [...new Set(person.aliases.map((value) => keyOf(value).length))],
      ...{ certificate_sha256: null, replayed_at: null },
    }
    await erasures.insert(tx, row)
    // No call may use the person's data while it goes.
    if (run.subject_id !== null) await setStatus(tx, run.subject_id, 'erased')
  })
}

/** Exports that were made for the person are data of the person. */
async function endExports({ db, blobs }: Kernel, tenantId: TenantId, { subject_id: subject }: RunRow): Promise<void> {
  const gone = await db.tenant({ tenantId }, async (tx) => {
    const rows = await tx.query(sql<{ id: string; export_id: string }>`
      select id, export_id from data_gov_run run
      where subject_id = ${subject} and export_id is not null and ${notHeld(runs, 'run')}`)
    for (const { id, export_id: blob } of rows) {
      await runs.patchVersion(tx, id, { export_id: null, export_expires_at: null })
      await blobs.release(tx, blob)
    }
    return rows.map(({ export_id: blob }) => blob)
  })
  for (const id of gone) await blobs.discard(tenantId, id)
}

async function verificationOf(
  kernel: Kernel,
  tenantId: TenantId,
  { mentions, blobIds, counts }: Search,
): Promise<Verification> {
  const held = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => kernel.dataRegistry.holds.active(tx))
  const residue: Residue[] = mentions.map(({ table, keys }) => ({
    place: table.name,
    rows: keys.length,
    ground: isErasable(table) ? (held.length > 0 ? 'legal hold' : null) : groundOf(table.data.basis),
  }))
  const files = blobIds.length === 0 ? [] : [{ place: 'files', rows: blobIds.length, ground: null }]
  return {
    method: searchMethod,
    ...{ tables: counts.tables, rows: counts.rows, sealed_values: counts.sealed, blobs: counts.blobs },
    blob_bytes: counts.bytes,
    residue: [...residue, ...files],
  }
}

interface Concluding {
  readonly id: string
  readonly verification: Verification
}

async function conclude(kernel: Kernel, tx: Tx, { id, verification }: Concluding): Promise<void> {
  const run = await runs.needForUpdate(tx, id)
  const at = kernel.clock.iso()
  const status = verification.residue.length === 0 ? 'completed' : 'partial'
  const certificate = await certificateOf(kernel.signingKeys, { run, status, results: run.results, verification, at })
  await runs.patchVersion(tx, id, {
    ...{ status, verification, certificate: certificate.jws, completed_at: at },
    // The identifiers stay for the search after the end of a hold.
    sealed_aliases: status === 'completed' ? null : run.sealed_aliases,
  })
  await tx.execute(sql`update data_gov_erasure set certificate_sha256 = ${certificate.sha256} where run_id = ${id}`)
  await tx.audit('data_gov.retention_run.create', {
    target: `data_gov_run:${id}`,
    after: { status, certificate_sha256: certificate.sha256 },
  })
  const sum = (list: readonly { readonly rows: number }[]) => list.reduce((all, { rows }) => all + rows, 0)
  await tx.emit(erasureCompleted, id, {
    ...{ run_id: id, status, erased: sum(run.results), retained: sum(verification.residue) },
    certificate_sha256: certificate.sha256,
  })
}
