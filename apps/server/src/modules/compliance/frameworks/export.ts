/**
 * A framework as a file: its OSCAL catalog or profile, as it came in with a new id and a revision; the mappings that touch
 * it; the platform as a component that implements its controls; or a table. Tested in frameworks.test.ts.
 */
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { csvLine } from '../../../kernel/http/body/csv.ts'
import { FileAnswer } from '../../../kernel/module/route.ts'
import { checks } from '../checks/registry.ts'
import type { ControlRow } from '../declared/control-schema.ts'
import type { FrameworkFormat, FrameworkRow } from '../declared/framework-schema.ts'
import { mappings } from '../declared/framework-tables.ts'
import type { MappingRow } from '../declared/mapping-schema.ts'
import { hrefOf } from '../documents/read-mappings.ts'
import { errors } from '../errors/errors.ts'
import type { Catalog, Metadata, Profile } from '../oscal/model.ts'
import { uuid4 } from '../oscal/uuid.ts'
import { metadataOf, profileOf, reissued, type Stamp, tokenOf } from '../oscal/write.ts'
import { blobText, type DocumentParts, definedControls, documentText } from './documents.ts'

export const oscalType = 'application/oscal+json'

export interface Export {
  readonly scope: TenantScope
  readonly row: FrameworkRow
  readonly format: FrameworkFormat
}

/** @throws COMP-022 */
export async function exportFramework(kernel: DocumentParts, { scope, row, format }: Export): Promise<FileAnswer> {
  const stamp = { uuid: uuid4(kernel), at: kernel.clock.iso() }
  if (format === 'csv') return fileOf(row, 'csv', await tableOf(kernel, scope, row))
  if (format === 'oscal-catalog') {
    const { catalog } = JSON.parse(await documentText(kernel, scope, row)) as { readonly catalog: Catalog }
    return oscalFile(row, format, { catalog: row.document_id === null ? catalog : reissued(catalog, stamp) })
  }
  if (format === 'oscal-profile')
    return oscalFile(row, format, { profile: await profileOfRow(kernel, scope, row, stamp) })
  if (format === 'oscal-component') return oscalFile(row, format, componentOf(kernel, row, stamp))
  return oscalFile(row, format, await mappingsOf(kernel, scope, row, stamp))
}

const oscalFile = (row: FrameworkRow, format: string, document: object): FileAnswer =>
  fileOf(row, `${format}.json`, JSON.stringify(document))

function fileOf({ key, edition }: FrameworkRow, ending: string, text: string): FileAnswer {
  const bytes = Buffer.from(text)
  const contentType = ending === 'csv' ? 'text/csv; charset=utf-8' : oscalType
  const name = `${key}-${edition.replaceAll(/[^A-Za-z0-9.-]/g, '_')}.${ending}`
  return new FileAnswer(
    { contentType, name, bytes: bytes.byteLength, sha256: sha256(bytes) },
    (async function* chunks() {
      yield bytes
    })(),
  )
}

async function tableOf(kernel: DocumentParts, scope: TenantScope, row: FrameworkRow): Promise<string> {
  const rows = await definedControls(kernel, scope, row)
  return [
    csvLine(['id', 'parent', 'title', 'statement']),
    ...rows.map(({ ref, parent_ref: parent, title, statement }) => csvLine([ref, parent, title, statement])),
  ].join('')
}

async function profileOfRow(
  kernel: DocumentParts,
  scope: TenantScope,
  row: FrameworkRow,
  stamp: Stamp,
): Promise<Profile> {
  if (row.profile_id !== null) {
    const { profile } = JSON.parse(await blobText(kernel, scope, row.profile_id)) as { readonly profile: Profile }
    return reissued(profile, stamp)
  }
  const rows = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) =>
    tx.query(sql<Pick<ControlRow, 'ref' | 'params'>>`
      select ref, params from compliance_control
      where framework_id = ${row.id} and applicable and not withdrawn order by position`),
  )
  if (rows.length === 0)
    throw errors.formatUnavailable({ what: `${row.key} is not adopted, so there is no selection of its controls.` })
  const set = rows.flatMap(({ params }) => params.filter(({ values }) => values.length > 0))
  return profileOf(
    {
      ...{ title: `Selection of ${row.title}`, edition: row.edition, href: hrefOf(row.key) },
      refs: rows.map(({ ref }) => ref),
      parameters: Object.fromEntries(set.map(({ id, values }) => [id, values])),
    },
    stamp,
  )
}

const stampedMetadata = ({ title, edition }: FrameworkRow, what: string, { at }: Stamp): Metadata =>
  metadataOf(`${what}: ${title}`, edition, at)

/** @throws COMP-022 where no check supports a control of the framework */
function componentOf(kernel: DocumentParts, row: FrameworkRow, stamp: Stamp): object {
  const supported = new Map<string, string[]>()
  for (const check of checks)
    for (const { framework, ref } of check.claims)
      if (framework === row.key) supported.set(ref, [...(supported.get(ref) ?? []), check.title])
  if (supported.size === 0)
    throw errors.formatUnavailable({ what: `No check of the platform supports a control of ${row.key}.` })
  const requirements = [...supported].map(([ref, titles]) => ({
    uuid: uuid4(kernel),
    'control-id': tokenOf(ref),
    description: `${titles.join('. ')}.`,
    props: [{ name: 'label', value: ref }],
  }))
  return {
    'component-definition': {
      uuid: stamp.uuid,
      metadata: stampedMetadata(row, 'Parapet as a component', stamp),
      components: [
        {
          uuid: uuid4(kernel),
          type: 'software',
          title: 'Parapet',
          description: 'Controls that the platform enforces and checks by itself.',
          'control-implementations': [
            {
              uuid: uuid4(kernel),
              source: hrefOf(row.key),
              description: 'Controls that the automatic checks of the platform support.',
              'implemented-requirements': requirements,
            },
          ],
        },
      ],
    },
  }
}

async function mappingsOf(kernel: DocumentParts, scope: TenantScope, row: FrameworkRow, stamp: Stamp): Promise<object> {
  const rows = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) =>
    tx.query(sql<MappingRow>`
      select ${mappings.columns} from compliance_mapping
      where source_key = ${row.key} or target_key = ${row.key} order by source_key, target_key, id`),
  )
  if (rows.length === 0) throw errors.formatUnavailable({ what: `No mapping touches ${row.key}.` })
  const pairs = new Map<string, MappingRow[]>()
  for (const one of rows) {
    const pair = `${one.source_key} ${one.target_key}`
    pairs.set(pair, [...(pairs.get(pair) ?? []), one])
  }
  return {
    'mapping-collection': {
      uuid: stamp.uuid,
      metadata: stampedMetadata(row, 'Mappings', stamp),
      provenance: {
        method: 'human',
        'matching-rationale': 'semantic',
        status: 'draft',
        'mapping-description': 'A mapping is an aid, not a finding of conformity.',
      },
      mappings: [...pairs.values()].map((own) => ({
        uuid: uuid4(kernel),
        'source-resource': { type: 'catalog', href: hrefOf(own[0]?.source_key ?? '') },
        'target-resource': { type: 'catalog', href: hrefOf(own[0]?.target_key ?? '') },
        maps: own.map((entry) => mapOf(kernel, entry)),
      })),
    },
  }
}

function mapOf(kernel: DocumentParts, entry: MappingRow): object {
  const items = (refs: readonly string[]) => refs.map((ref) => ({ type: 'control', 'id-ref': ref }))
  return {
    uuid: uuid4(kernel),
    relationship: entry.relation,
    sources: items(entry.sources),
    targets: items(entry.targets),
    ...(entry.strength === null ? {} : { props: [{ name: 'strength', value: String(entry.strength) }] }),
    ...(entry.coverage === null
      ? {}
      : { coverage: { 'generation-method': 'arbitrary', 'target-coverage': entry.coverage } }),
    ...(entry.reason === null ? {} : { remarks: entry.reason }),
  }
}
