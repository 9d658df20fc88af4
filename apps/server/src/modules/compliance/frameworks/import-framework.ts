/**
 * Imports of frameworks and mapping collections. Promises that a document that is not of its form changes nothing, that
 * nothing is fetched, that the same document again changes nothing, and that the document comes out as it came in. It is
 * read in a thread, before the transaction. Tested in frameworks.test.ts.
 */

import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { create, hold, newRow } from '../../../kernel/resource/resource.ts'
import type { FrameworkImport, FrameworkRow, NewFramework } from '../declared/framework-schema.ts'
import { frameworks } from '../declared/framework-tables.ts'
import type { Content, FaultyContent, FrameworkContent } from '../documents/content.ts'
import { readFramework } from '../documents/read-task.ts'
import { errors } from '../errors/errors.ts'
import { weightOf } from './builtins.ts'
import { addControls } from './control-rows.ts'
import { documentText } from './documents.ts'
import { frameworkUpdated } from './events.ts'
import { adoptHeld } from './frameworks.ts'
import { type MappingsSummary, storeMappings } from './import-mappings.ts'
import { frameworkResource } from './resource.ts'

export interface ImportRequest {
  readonly scope: TenantScope
  readonly input: NewFramework
}

export interface ImportSummary extends Pick<FrameworkImport, 'imported' | 'diff'> {
  readonly warnings: readonly string[]
  readonly row: FrameworkRow | null
}

/** @throws API-001, API-013, COMP-001 to COMP-004, COMP-006 */
export async function importFramework(kernel: Kernel, { scope, input }: ImportRequest): Promise<ImportSummary> {
  const { source, content: text } = input
  if (source === 'known' || text === undefined) throw required('/content')
  const bases = await basesOf(kernel, scope, input.base_framework_ids ?? [])
  const uuid = kernel.random.uuid()
  const read = await kernel.threads.run(readFramework, { source, text, bases, uuid, at: kernel.clock.iso() })
  if (read.kind === 'fault') throw problemOf(read.fault)
  if (read.kind === 'mappings') return importMappings(kernel, scope, { read, dryRun: input.dry_run ?? false })
  return importContent(kernel, { scope, input }, { read, text })
}

const required = (pointer: string): ProblemError =>
  apiErrors.validation({ what: 'The import lacks a field.' }).at([{ detail: 'This is required.', pointer }])

function problemOf({ kind, message, faults }: FaultyContent['fault']): ProblemError {
  const parts = faults.map(({ pointer, detail }) => ({ pointer, detail }))
  if (kind === 'unknown') return errors.documentUnknown({ what: message })
  if (kind === 'relation') return errors.unknownRelation({ word: message }).at(parts)
  return (kind === 'invalid' ? errors.documentInvalid({ what: message }) : errors.unresolved({ what: message })).at(
    parts,
  )
}

async function basesOf(kernel: Kernel, scope: TenantScope, ids: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = []
  for (const id of ids) {
    const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => frameworks.need(tx, id))
    texts.push(await documentText(kernel, scope, row))
  }
  return texts
}

interface MappingsRead {
  readonly read: Extract<Content, { kind: 'mappings' }>
  readonly dryRun: boolean
}

async function importMappings(
  kernel: Kernel,
  scope: TenantScope,
  { read, dryRun }: MappingsRead,
): Promise<ImportSummary> {
  const { mappings, warnings }: MappingsSummary = await kernel.db.tenant({ ...scope, readOnly: dryRun }, (tx) =>
    storeMappings(kernel, tx, { read, dryRun }),
  )
  return { row: null, diff: null, warnings, imported: { ...nothing, mappings } }
}

const nothing = { groups: 0, controls: 0, withdrawn: 0, params: 0, mappings: 0 }

interface Read {
  readonly read: FrameworkContent
  readonly text: string
}

async function importContent(
  kernel: Kernel,
  { scope, input }: ImportRequest,
  { read, text }: Read,
): Promise<ImportSummary> {
  const named = namesOf(input, read)
  const { dry_run: dryRun = false } = input
  const document = read.catalog === null || dryRun ? null : await store(kernel, scope, read.catalog)
  const isProfile = document !== null && read.catalog !== text
  const profile = isProfile ? await store(kernel, scope, text) : null
  try {
    return await kernel.db.tenant({ ...scope, readOnly: dryRun }, async (tx) => {
      if (!dryRun) await tx.lock('compliance.frameworks', tx.tenantId)
      const { known, latest } = await editionsOf(tx, named)
      const digest = sha256(text)
      if (known !== null && known.sha256 !== digest)
        throw errors.versionExists({ key: named.key, version: named.edition })
      const diff = latest === null ? null : await diffOf(tx, latest, read)
      const imported = countsOf(read)
      const ids = { document: document?.id ?? null, profile: profile?.id ?? null }
      const row =
        dryRun || known !== null ? known : await keep(kernel, tx, { input, read, named, digest, ids, latest, diff })
      return { row, imported, diff, warnings: [...read.warnings] }
    })
  } catch (error) {
    for (const blob of [document, profile])
      if (blob !== null) kernel.background('compliance.discard', kernel.blobs.discard(scope.tenantId, blob.id))
    throw error
  }
}

const store = (kernel: Kernel, { tenantId }: TenantScope, text: string) =>
  kernel.blobs.put(
    tenantId,
    (async function* chunks() {
      yield Buffer.from(text)
    })(),
  )

interface Names {
  readonly key: string
  readonly edition: string
  readonly title: string
}

/** @throws API-001 where neither the body nor the document says */
function namesOf({ key, edition, title }: NewFramework, read: FrameworkContent): Names {
  const named = { key, edition: edition ?? read.edition, title: title ?? read.title }
  if (named.key === undefined) throw required('/key')
  if (named.edition === '') throw required('/edition')
  if (named.title === '') throw required('/title')
  return { ...named, key: named.key }
}

interface Editions {
  /** The same edition. */
  readonly known: FrameworkRow | null
  /** The newest other one. */
  readonly latest: FrameworkRow | null
}

async function editionsOf(tx: Tx, { key, edition }: Names): Promise<Editions> {
  const rows = await tx.query(sql<FrameworkRow>`
    select ${frameworks.columns} from compliance_framework where key = ${key} order by created_at desc, id desc`)
  return {
    known: rows.find((row) => row.edition === edition) ?? null,
    latest: rows.find((row) => row.edition !== edition) ?? null,
  }
}

function countsOf({ groups, controls }: FrameworkContent) {
  return {
    groups: groups.length,
    controls: controls.length,
    withdrawn: controls.filter(({ withdrawn }) => withdrawn).length,
    params: controls.reduce((sum, { params }) => sum + params.length, 0),
    mappings: 0,
  }
}

type Diff = NonNullable<FrameworkImport['diff']>

async function diffOf(tx: Tx, latest: FrameworkRow, { controls }: FrameworkContent): Promise<Diff> {
  const before = new Map(
    (
      await tx.query(sql<{ ref: string; title: string; statement: string | null; withdrawn: boolean }>`
        select ref, title, statement, withdrawn from compliance_control where framework_id = ${latest.id}`)
    ).map((row) => [row.ref, row]),
  )
  const live = controls.filter(({ withdrawn }) => !withdrawn)
  const after = new Set(live.map(({ ref }) => ref))
  return {
    against: latest.edition,
    added: live.filter(({ ref }) => !before.has(ref)).map(({ ref }) => ref),
    changed: live
      .filter(({ ref, title, statement }) => {
        const known = before.get(ref)
        return known !== undefined && (known.title !== title || known.statement !== statement)
      })
      .map(({ ref }) => ref),
    withdrawn: [...before.values()].filter((row) => !row.withdrawn && !after.has(row.ref)).map(({ ref }) => ref),
  }
}

interface Keeping {
  readonly input: NewFramework
  readonly read: FrameworkContent
  readonly named: Names
  readonly digest: string
  readonly ids: { readonly document: string | null; readonly profile: string | null }
  readonly latest: FrameworkRow | null
  readonly diff: Diff | null
}

async function keep(
  kernel: Kernel,
  tx: Tx,
  { input, read, named, digest, ids, latest, diff }: Keeping,
): Promise<FrameworkRow> {
  const { withdrawn, controls } = countsOf(read)
  const isMandatory = input.adopt?.mandatory ?? false
  const row: FrameworkRow = {
    ...newRow(kernel, tx),
    ...named,
    ...{ publisher: null, license: null, source_url: null, text_policy: 'imported', applies_per: 'either' },
    source: input.source === 'known' ? 'json' : input.source,
    status: input.publish === true || input.adopt !== undefined ? 'published' : 'draft',
    ...{ sha256: digest, mandatory: isMandatory, soa: false, control_count: controls - withdrawn },
    withdrawn_count: withdrawn,
    groups: read.groups.map((group) => ({ ...group, id: group.id.slice(0, 250), title: group.title.slice(0, 500) })),
    ...{ adoption: 'not_adopted', adopted_at: null, weight: weightOf(isMandatory) },
    ...{ document_id: ids.document, profile_id: ids.profile, told_score: null },
  }
  await create(tx, frameworkResource, row, {
    action: 'compliance.framework.create',
    after: ({ groups: _groups, ...shown }) => shown,
  })
  await addControls(kernel, tx, row.id, read.controls)
  await tx.emit(frameworkUpdated, row.id, {
    ...{ framework_id: row.id, framework_key: row.key, from: latest?.edition ?? null, to: row.edition },
    added: diff?.added.length ?? controls,
    changed: diff?.changed.length ?? 0,
    withdrawn: diff?.withdrawn.length ?? 0,
  })
  if (input.adopt === undefined) return row
  const held = await hold(tx, frameworkResource, { id: row.id, precondition: anyVersion })
  return adoptHeld(kernel, tx, held, input.adopt)
}
