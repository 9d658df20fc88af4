/**
 * Imports into the twin. Promises that content that is not of its format changes nothing, that the same file again
 * changes no more than that its assets are active, and that each part that was left out is named by its place. Files are read in a thread, before the
 * transaction. Tested in imports.test.ts.
 */

import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { type FactCaller, systemCaller } from '../../../kernel/facts/facts.ts'
import { applyContent } from '../assets/apply.ts'
import type { TwinContent } from '../assets/content.ts'
import { importCompleted } from '../declared/events.ts'
import type { Import, ImportRow, NewImport } from '../declared/relation-schema.ts'
import { imports } from '../declared/tables.ts'
import { type ImportFormat, platformSource } from '../declared/words.ts'
import { errors } from '../errors/errors.ts'
import { readPlatform } from '../platform/read-platform.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { readTwinFile } from './read-task.ts'

export const reanalysisJob = 'cybertwins.reanalysis'

export interface ImportAsked {
  readonly scope: TenantScope
  readonly userId: string | null
  /** Whose rights count for reading the platform. */
  readonly caller: FactCaller
  readonly body: NewImport
}

const dayMs = 86_400_000
/** Days without being seen after which an asset goes stale. */
const staleDays: Readonly<Record<ImportFormat, number>> = { platform: 3, stix: 90, cyclonedx: 90, openvex: 90, csv: 30 }
const mostSkipped = 1_000

/** Undone where the import was a trial. */
class DryRun extends Error {
  readonly answer: Import

  constructor(answer: Import) {
    super('dry run')
    this.answer = answer
  }
}

/** Opens its own transactions. @throws API-001, TWIN-005 */
export async function importTwin(services: TwinServices, asked: ImportAsked): Promise<Import> {
  const { scope, body } = asked
  const source = body.format === 'platform' ? platformSource : (body.source ?? body.format)
  const content = body.format === 'platform' ? null : await fileContent(services, body, source)
  try {
    return await services.kernel.db.tenant(scope, (tx) => store(services, tx, { asked, source, content }))
  } catch (error) {
    if (error instanceof DryRun) return error.answer
    throw error
  }
}

/** Repeats the pull from the platform, for the job. */
export const refreshFromPlatform = (services: TwinServices, scope: TenantScope): Promise<Import> =>
  importTwin(services, { scope, userId: null, caller: systemCaller, body: { format: 'platform' } })

async function fileContent({ kernel }: TwinServices, body: NewImport, source: string): Promise<TwinContent> {
  const { format, content: text, mapping = {} } = body
  if (text === undefined || format === 'platform')
    throw apiErrors
      .validation({ what: 'The import lacks its content.' })
      .at([{ detail: 'This is required.', pointer: '/content' }])
  if (source === platformSource || source === 'manual')
    throw apiErrors
      .validation({ what: `The source ${source} is not for files.` })
      .at([{ detail: 'names a source that files do not have', pointer: '/source' }])
  const content = await kernel.threads.run(readTwinFile, { format, text, mapping, source })
  if (!('fault' in content)) return content
  const { pointer, message } = content.fault
  throw errors.contentInvalid({ what: message }).at([{ detail: message, pointer }])
}

interface Storing {
  readonly asked: ImportAsked
  readonly source: string
  /** Null for the platform, which is read in the transaction. */
  readonly content: TwinContent | null
}

async function store(services: TwinServices, tx: Tx, { asked, source, content }: Storing): Promise<Import> {
  const { kernel } = services
  const { format, authoritative: wished = false, dry_run: dryRun = false } = asked.body
  const read = content ?? (await readPlatform(services, tx, asked.caller))
  const isPlatform = format === 'platform'
  const authoritative = isPlatform ? read.skipped.length === 0 : wished
  const staleAt = new Date(kernel.clock.now() + staleDays[format] * dayMs).toISOString()
  const { counts, skipped } = await applyContent(kernel, tx, {
    ...{ content: read, source, authoritative, staleAt, strict: false },
  })
  const row: ImportRow = {
    ...{
      id: kernel.random.uuid(),
      tenant_id: tx.tenantId,
      created_at: kernel.clock.iso(),
      format,
      source,
      authoritative,
    },
    ...{ counts, skipped: skipped.slice(0, mostSkipped), created_by: asked.userId },
  }
  const answer: Import = {
    ...{ id: row.id, status: 'completed', format, source, dry_run: dryRun, ...counts, skipped: row.skipped },
  }
  // The counts of a trial are those of the real thing, which is taken back.
  if (dryRun) throw new DryRun(answer)
  await imports.insert(tx, row)
  await tx.audit('cybertwins.import.create', {
    target: `cybertwins_import:${row.id}`,
    after: { format, source, authoritative, ...counts, skipped: row.skipped.length },
  })
  await tx.emit(importCompleted, row.id, { import_id: row.id, format, counts })
  if (counts.created + counts.updated + counts.edges + counts.edges_removed + counts.stale > 0)
    await askForAnalysis(tx, row.id)
  return answer
}

/** Asks for a snapshot and an analysis of the crown jewels; at most one waits. */
export function askForAnalysis(tx: Tx, importId: string | null): Promise<void> {
  return tx.enqueue({ kind: reanalysisJob, key: 'twin', payload: { import_id: importId } })
}
