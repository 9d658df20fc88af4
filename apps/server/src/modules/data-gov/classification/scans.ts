/**
 * Scans: a source is sampled, its columns are looked at in threads, and what they hold becomes labels of assets. Small
 * sources are done in the answer, sources elsewhere by a job. Values are never stored. Tested in scans.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { create, newRow, resource } from '../../../kernel/resource/resource.ts'
import { scans } from '../declared/asset-tables.ts'
import type { NewScan, ScanRow } from '../declared/scan-schema.ts'
import { defaultPlan, sampleSize } from '../engine/sampling.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { labelAssets } from './assets.ts'
import { scanCompleted } from './events.ts'
import { type Examined, examine } from './examine.ts'
import { piecesOf, readFile } from './read-file.ts'
import type { Connection, SampledDataset } from './reading.ts'
import type { ScannedColumn } from './scan-task.ts'
import { readSource } from './sources.ts'

export const scanJob = 'data_gov.scan'
const scanResource = resource({ table: scans, kind: 'data_gov_scan' })
const defaultConfirm = 0.95

export interface Scanning {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly input: NewScan
}

/** @throws API-001, DGOV-001, DGOV-002 */
export async function startScan(services: DataGovServices, { scope, actor, input }: Scanning): Promise<ScanRow> {
  const { kernel } = services
  const datasets = await givenDatasets(kernel, input.source)
  const result = datasets === null ? null : await examine(kernel, datasets, samplingOf(input))
  return kernel.db.tenant(scope, async (tx) => {
    const row = rowOf(kernel, tx, { actor, input, result })
    await create(tx, scanResource, row, {
      action: 'data_gov.scan.create',
      after: ({ source, status }) => ({ source, status }),
    })
    if (result === null) await tx.enqueue({ kind: scanJob, key: row.id, payload: { scan_id: row.id } })
    else await conclude(kernel, tx, row, result)
    return row
  })
}

interface Making {
  readonly actor: Actor
  readonly input: NewScan
  readonly result: Examined | null
}

function rowOf(kernel: Kernel, tx: Tx, { actor, input, result }: Making): ScanRow {
  const { kind, postgres, s3, table } = input.source
  return {
    ...newRow(kernel, tx),
    source: { kind, ref: refOf(input.source) },
    sampling: samplingOf(input),
    status: result === null ? 'queued' : 'completed',
    ...(result === null ? nothing : contentOf(result)),
    completed_at: result === null ? null : kernel.clock.iso(),
    created_by: actor.userId,
    auto_confirm: input.auto_confirm ?? defaultConfirm,
    connection: result === null ? { kind, postgres, s3, table } : null,
  }
}

const nothing = { rows_read: 0, characters: 0, findings: [], reads: [], errors: [] }

function contentOf({ findings, reads, rows, characters }: Examined) {
  return { rows_read: rows, characters, findings: [...findings], reads: [...reads], errors: [] }
}

function samplingOf({ sampling }: NewScan): ScanRow['sampling'] {
  const plan = {
    targetPrevalence: sampling?.target_prevalence ?? defaultPlan.targetPrevalence,
    confidence: sampling?.confidence ?? defaultPlan.confidence,
  }
  return {
    ...{ n: sampleSize(plan), seed: sampling?.seed ?? 0 },
    ...{ target_prevalence: plan.targetPrevalence, confidence: plan.confidence },
  }
}

/** For people; without anything secret. */
function refOf({ kind, name, file, postgres, s3, table }: NewScan['source']): string {
  if (postgres !== undefined)
    return `${postgres.host}/${postgres.database}: ${postgres.tables.join(', ')}`.slice(0, 1000)
  if (s3 !== undefined) return `${s3.address} ${s3.object}`.slice(0, 1000)
  return name ?? file?.name ?? table ?? kind
}

/** Datasets in the request; null for those that a job reads. @throws API-001, DGOV-002 */
async function givenDatasets(kernel: Kernel, source: NewScan['source']): Promise<readonly SampledDataset[] | null> {
  const { kind, columns, texts, file } = source
  const base = { namespace: source.namespace ?? 'inline', name: source.name ?? file?.name ?? 'sample' }
  if (kind === 'inline') {
    if ((columns ?? texts) === undefined) throw required('/source/columns')
    const own = (columns ?? []).map(({ name, values }) => ({ name, texts: values.filter((value) => value !== '') }))
    const documents = (texts ?? []).length === 0 ? [] : [{ name: null, texts: (texts ?? []).flatMap(piecesOf) }]
    return [sampled(base, [...own, ...documents])]
  }
  if (kind === 'file') {
    if (file === undefined) throw required('/source/file')
    return [sampled(base, await readFile(kernel.unpack, file.name, bytesOf(file.content)))]
  }
  if (kind === 'gateway_sample') return null
  const needed = { postgres: source.postgres, s3: source.s3, platform: source.table }[kind]
  if (needed === undefined) throw required(kind === 'platform' ? '/source/table' : `/source/${kind}`)
  return null
}

const sampled = (
  base: Pick<SampledDataset, 'namespace' | 'name'>,
  columns: readonly ScannedColumn[],
): SampledDataset => ({
  ...base,
  columns,
  population: Math.max(0, ...columns.map(({ texts }) => texts.length)),
})

const required = (pointer: string) =>
  apiErrors
    .validation({ what: 'The source lacks the part that its kind names.' })
    .at([{ detail: 'This is required.', pointer }])

function bytesOf(content: string): Uint8Array {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.byteLength > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(content)) return bytes
  throw apiErrors
    .validation({ what: 'The file is not base64.' })
    .at([{ detail: 'This is not base64.', pointer: '/source/file/content' }])
}

/** Labels and the event, in the transaction that ends the scan. */
async function conclude(kernel: Kernel, tx: Tx, row: ScanRow, result: Examined): Promise<void> {
  const counts = await labelAssets(kernel, tx, { scan: row, result })
  await tx.emit(scanCompleted, row.id, { scan_id: row.id, source: row.source.kind, ...counts })
}

export const scanRuns: JobDeclaration<DataGovServices> = {
  kind: scanJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  run: async ({ tenantId, payload, services, complete }) => {
    const { kernel } = services
    const id = String(payload.scan_id)
    const row = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => scans.get(tx, id))
    if (row === null || row.connection === null) return
    try {
      const connection = row.connection as Connection
      const datasets = await readSource(kernel, { tenantId, connection, sampling: row.sampling })
      const result = await examine(kernel, datasets, row.sampling)
      await complete(async (tx) => {
        const ended = {
          status: 'completed' as const,
          completed_at: kernel.clock.iso(),
          connection: null,
          ...contentOf(result),
        }
        await scans.patchVersion(tx, id, ended)
        await conclude(kernel, tx, { ...row, ...ended }, result)
      })
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      await complete(async (tx) => {
        const failed = { status: 'failed' as const, completed_at: kernel.clock.iso(), connection: null }
        await scans.patchVersion(tx, id, { ...failed, errors: [`${error.code}: ${error.message}`.slice(0, 1000)] })
      })
    }
  },
}

export function scanView(row: ScanRow) {
  const { version: _version, created_by: _by, auto_confirm: _confirm, connection: _connection, ...shown } = row
  return shown
}
