/**
 * The data of a tenant as files: lines of JSON per table, and a manifest with the digest of each that is signed. Made in
 * the background, kept encrypted under the tenant's key for seven days, without columns that hold secrets. Each table is
 * read page by page, so tables that change meanwhile are not of one instant. Tested in tenant-life.test.ts.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Actor } from '../../../kernel/access/actor.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { identifier, join, json, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { tenantIdOf } from '../directory/tenant-id.ts'
import type { IamServices } from '../services/iam-services.ts'
import type { CreateTenantExport, Manifest, TenantExport } from './schema.ts'
import { type ExportRow, tenantExportParts, tenantExports } from './tables.ts'

const jobKind = 'iam.tenant.export'
const mostAttempts = 4
const lifeMs = 7 * 86_400_000
const pageRows = 500

/** Rows of the program's own work, and of keys. */
const withoutData = new Set(['key', 'operation', 'credential_index', 'event_delivery'])

/** Columns with credentials or secrets. Encrypted columns are bytes and are left out as such. */
const secretColumn = /password_hash|secret|wrapped|_jti$|^(?:request_digest|code_digest|code_challenge)$/

/** A hash in the audit log proves the log, anywhere else a secret. */
const isSecret = (name: string, { data }: Table): boolean =>
  secretColumn.test(name) || (name === 'hash' && data.category !== 'audit')

export function exportable(kernel: Pick<Kernel, 'tables'>): readonly Table[] {
  return kernel.tables.filter(({ scope, data }) => scope === 'tenant' && !withoutData.has(data.category))
}

/** @throws API-001 */
export async function createTenantExport(
  { kernel }: IamServices,
  tx: Tx,
  { actor, body }: { readonly actor: Actor; readonly body: CreateTenantExport },
): Promise<TenantExport> {
  const known = new Set(exportable(kernel).map(({ name }) => name))
  const unknown = body.include?.findIndex((name) => !known.has(name)) ?? -1
  if (unknown !== -1) {
    const detail = 'There is no such table to export.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: `/include/${unknown}` }])
  }
  const now = kernel.clock.iso()
  const row: ExportRow = {
    tenant_id: tx.tenantId,
    id: kernel.random.uuid(),
    user_id: actor.userId,
    include: [...(body.include ?? known)],
    status: 'queued',
    progress: 0,
    failure: null,
    manifest: null,
    manifest_sha256: null,
    signature_kid: null,
    signature: null,
    expires_at: null,
    created_at: now,
    updated_at: now,
  }
  await tenantExports.insert(tx, row)
  await tx.audit('iam.tenant.export', {
    target: `tenant:${tx.tenantId}`,
    after: { export_id: row.id, include: row.include },
  })
  await tx.enqueue({ kind: jobKind, payload: { export_id: row.id }, key: row.id })
  return row
}

type Run = Pick<JobContext<IamServices>, 'tenantId' | 'payload' | 'attempt' | 'signal' | 'services'>

/** Begins anew when an earlier attempt broke: half of an export is none. */
export async function runTenantExport({ tenantId, payload, attempt, signal, services }: Run): Promise<void> {
  const { kernel } = services
  const id = String(payload.export_id)
  const row = await kernel.db.tenant({ tenantId }, async (tx) => {
    const found = await tenantExports.get(tx, id)
    if (found === null || found.status === 'completed' || found.status === 'failed') return null
    await tx.execute(sql`delete from iam_tenant_export_part where export_id = ${id}`)
    await tenantExports.patch(tx, id, { status: 'running', progress: 0, updated_at: kernel.clock.iso() })
    return found
  })
  if (row === null) return
  try {
    const tables: Manifest['tables'][number][] = []
    const wanted = exportable(kernel).filter(({ name }) => row.include.includes(name))
    for (const table of wanted) {
      signal.throwIfAborted()
      tables.push(await writeTable(kernel, row, table))
      const progress = Math.min(0.99, tables.length / wanted.length)
      await kernel.db.tenant({ tenantId }, (tx) => tenantExports.patch(tx, id, { progress }))
    }
    await complete(kernel, row, tables)
  } catch (error) {
    if (attempt >= mostAttempts && !signal.aborted) {
      const failure = 'The export could not be made; an operator finds the reason in the log.'
      await kernel.db.tenant({ tenantId }, (tx) => tenantExports.patch(tx, id, { status: 'failed', failure }))
    }
    throw error
  }
}

async function writeTable(kernel: Kernel, row: ExportRow, table: Table): Promise<Manifest['tables'][number]> {
  const tenantId = tenantIdOf(row.tenant_id)
  const hash = createHash('sha256')
  const leftOut = new Set(Object.keys(table.row.properties).filter((name) => isSecret(name, table)))
  let [rows, bytes, seq] = [0, 0, 0]
  let after: readonly unknown[] | null = null
  for (;;) {
    const page: readonly Readonly<Record<string, unknown>>[] = await kernel.db.read(tenantId, pageOf(table, after))
    for (const one of page)
      for (const [name, value] of Object.entries(one)) if (value instanceof Uint8Array) leftOut.add(name)
    const text = page.map((one) => `${JSON.stringify(shown(one, leftOut))}\n`).join('')
    const content = Buffer.from(text)
    hash.update(content)
    rows += page.length
    bytes += content.byteLength
    if (content.byteLength > 0) await storePart(kernel, row, { table, seq, content })
    seq += 1
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) break
    after = orderOf(table).map((name) => last[name])
  }
  return { name: table.name, rows, bytes, sha256: hash.digest('hex'), left_out: [...leftOut].sort() }
}

function shown(
  row: Readonly<Record<string, unknown>>,
  leftOut: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.has(name)))
}

/** A table with one row per tenant has no key beside the tenant. */
const orderOf = ({ key }: Table): readonly string[] => (key.length > 0 ? key : ['tenant_id'])

/** The page after the row with this key. */
function pageOf(table: Table, after: readonly unknown[] | null): SqlPart {
  const key = join(orderOf(table).map(identifier), ', ')
  const where =
    after === null
      ? sql`true`
      : sql`(${key}) > (${join(
          after.map((value) => sql`${value}`),
          ', ',
        )})`
  return sql`select ${table.columns} from ${table.from} where ${where} order by ${key} limit ${pageRows}`
}

export const addressOf = (id: string) => ({ table: 'iam_tenant_export_part', column: 'sealed', rowId: id })

async function storePart(
  kernel: Kernel,
  row: ExportRow,
  part: { readonly table: Table; readonly seq: number; readonly content: Uint8Array },
): Promise<void> {
  const tenantId = tenantIdOf(row.tenant_id)
  const id = kernel.random.uuid()
  const sealed = await kernel.tenantKeys.encrypt(tenantId, addressOf(id), gzipSync(part.content))
  await kernel.db.tenant({ tenantId }, (tx) =>
    tenantExportParts.insert(tx, {
      tenant_id: tenantId,
      id,
      export_id: row.id,
      table_name: part.table.name,
      seq: part.seq,
      sealed,
    }),
  )
}

async function complete(kernel: Kernel, row: ExportRow, tables: Manifest['tables']): Promise<void> {
  const now = kernel.clock.iso()
  const manifest: Manifest = {
    format: 'parapet-tenant-export/1',
    tenant_id: row.tenant_id,
    export_id: row.id,
    created_at: row.created_at,
    completed_at: now,
    tables,
  }
  const digest = canonicalHash(manifest)
  const { kid, signature } = await kernel.signingKeys.sign(
    'checkpoint',
    Buffer.from(`parapet/tenant-export\n${digest}`),
  )
  await kernel.db.tenant({ tenantId: tenantIdOf(row.tenant_id) }, async (tx) => {
    await tx.execute(sql`
      update iam_tenant_export
      set status = 'completed', progress = 1, manifest = ${json(manifest)}::jsonb, manifest_sha256 = ${digest},
        signature_kid = ${kid}, signature = ${Buffer.from(signature).toString('base64url')},
        expires_at = ${new Date(kernel.clock.now() + lifeMs).toISOString()}, updated_at = ${now}
      where id = ${row.id}`)
    await tx.audit('iam.tenant.export.complete', {
      target: `tenant:${row.tenant_id}`,
      after: { export_id: row.id, manifest_sha256: digest },
    })
  })
}

const exporting: JobDeclaration<IamServices> = {
  kind: jobKind,
  lane: 'long',
  maxAttempts: mostAttempts,
  leaseMs: 10 * 60_000,
  everyMs: null,
  run: runTenantExport,
}

/** Removes exports whose time is over, parts and all, and ends those whose job was lost. */
const forgetting: JobDeclaration<IamServices> = {
  kind: 'iam.tenant.forget_exports',
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: 6 * 3_600_000,
  run: async ({ tenantId, services: { kernel } }) => {
    const now = kernel.clock.iso()
    const lost = new Date(kernel.clock.now() - 2 * lifeMs).toISOString()
    await kernel.db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from iam_tenant_export where expires_at < ${now} or created_at < ${lost}`),
    )
  },
}

export const exportJobs = [exporting, forgetting]
