/** The stored document of a framework, or the catalog that is made of its controls. */
import type { TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import type { ControlRow } from '../declared/control-schema.ts'
import { controls } from '../declared/control-table.ts'
import type { FrameworkRow } from '../declared/framework-schema.ts'
import { catalogOf } from '../oscal/write.ts'
import { controlsIn } from './control-rows.ts'

export type DocumentParts = Pick<Kernel, 'db' | 'blobs' | 'clock' | 'random'>

/** OSCAL JSON of the catalog, as text. */
export async function documentText(kernel: DocumentParts, scope: TenantScope, row: FrameworkRow): Promise<string> {
  if (row.document_id !== null) return blobText(kernel, scope, row.document_id)
  const { title, edition, groups } = row
  const rows = await definedControls(kernel, scope, row)
  const stamp = { uuid: kernel.random.uuid(), at: kernel.clock.iso() }
  return JSON.stringify({ catalog: catalogOf({ title, edition, groups, controls: rows }, stamp) })
}

export async function blobText({ db, blobs }: DocumentParts, scope: TenantScope, id: string): Promise<string> {
  const opened = await db.tenant({ ...scope, readOnly: true }, (tx) => blobs.open(tx, id))
  const chunks: Uint8Array[] = []
  for await (const chunk of opened.read()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

type Defined = Pick<ControlRow, 'ref' | 'parent_ref' | 'group_ref' | 'title' | 'statement' | 'guidance' | 'withdrawn'>

/** Controls of a framework in their order, whether it is adopted or not. */
export async function definedControls(
  { db }: Pick<Kernel, 'db'>,
  scope: TenantScope,
  row: Pick<FrameworkRow, 'id' | 'key' | 'source'>,
): Promise<readonly Defined[]> {
  const rows = await db.tenant({ ...scope, readOnly: true }, (tx) =>
    tx.query(sql<ControlRow>`
      select ${controls.columns} from compliance_control where framework_id = ${row.id} order by position`),
  )
  const catalog = row.source === 'builtin' ? catalogOfKey(row.key) : null
  return rows.length === 0 && catalog !== null ? controlsIn(catalog) : rows
}
