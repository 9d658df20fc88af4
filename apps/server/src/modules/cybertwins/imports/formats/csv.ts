/**
 * Assets and relations as comma-separated values, one asset or relation a line; a mapping names the columns. Pure. Tested
 * in formats.test.ts.
 */
import { readTable, TableFault, type TableRow } from '../../../../kernel/http/body/csv-table.ts'
import { plainRelation, type ReadAsset, type ReadRelation, type TwinContent } from '../../assets/content.ts'
import type { CsvMapping } from '../../declared/relation-schema.ts'
import { assetKinds, exposures, relationKinds } from '../../declared/words.ts'
import { ContentFault, SkippedParts } from './read.ts'

const fieldNames = [
  ...(['kind', 'name', 'external_id', 'exposure', 'criticality', 'environment', 'crown_jewel'] as const),
  ...(['entry_point', 'cve', 'relation', 'target'] as const),
]
type FieldName = (typeof fieldNames)[number]

export interface CsvInput {
  readonly text: string
  readonly mapping: CsvMapping
  /** Namespace of the external ids. */
  readonly source: string
}

interface Row {
  readonly get: (field: FieldName) => string | undefined
  readonly pointer: string
}

/** @throws ContentFault */
export function readCsv({ text, mapping, source }: CsvInput): TwinContent {
  const columnOf = (field: FieldName) => mapping[field] ?? field
  const rows = rowsOf(text, columnOf)
  const skipped = new SkippedParts()
  const assets: ReadAsset[] = []
  const relations: ReadRelation[] = []
  for (const { line, cells, faults } of rows) {
    const pointer = `/content/${line}`
    const row = { get: (field: FieldName) => cells.get(columnOf(field)), pointer }
    const fault = faults[0] ?? faultOf(row)
    if (fault !== null) skipped.add(pointer, fault)
    else if (row.get('name') !== undefined) assets.push(assetOf(row, source))
    if (fault === null && row.get('target') !== undefined) relations.push(relationOf(row, source))
  }
  return { assets, relations, vex: [], skipped: skipped.all() }
}

function rowsOf(text: string, columnOf: (field: FieldName) => string): readonly TableRow[] {
  try {
    const form = {
      columns: fieldNames.map(columnOf),
      required: [columnOf('external_id')],
      maxRows: 200_000,
      maxCell: 500,
    }
    return readTable(text, form)
  } catch (error) {
    if (error instanceof TableFault) throw new ContentFault('/content', error.message)
    throw error
  }
}

/** Why the row is no asset and no relation; null where it is one. */
function faultOf({ get }: Row): string | null {
  if (get('external_id') === undefined) return 'The row has no external_id.'
  if (get('name') === undefined && get('target') === undefined) return 'The row has neither a name nor a target.'
  if (get('name') !== undefined && !includes(assetKinds, get('kind')))
    return `The kind must be one of: ${assetKinds.join(', ')}.`
  if (get('target') !== undefined && !includes(relationKinds, get('relation')))
    return `The relation must be one of: ${relationKinds.join(', ')}.`
  if (get('exposure') !== undefined && !includes(exposures, get('exposure')))
    return `The exposure must be one of: ${exposures.join(', ')}.`
  const criticality = get('criticality')
  return criticality === undefined || /^[1-5]$/.test(criticality) ? null : 'The criticality must be 1 to 5.'
}

const includes = (words: readonly string[], word: string | undefined): boolean =>
  word !== undefined && words.includes(word)

const isYes = (text: string | undefined): boolean => text !== undefined && /^(1|true|yes)$/i.test(text)

function assetOf({ get, pointer }: Row, source: string): ReadAsset {
  const [exposure, criticality, environment, cve] = [
    get('exposure'),
    get('criticality'),
    get('environment'),
    get('cve'),
  ]
  return {
    kind: assetKinds.find((kind) => kind === get('kind')) ?? 'host',
    name: (get('name') ?? '').slice(0, 300),
    externalIds: [{ source, id: get('external_id') ?? '' }],
    fields: {
      ...(exposure === undefined ? {} : { exposure: exposures.find((one) => one === exposure) ?? 'internal' }),
      ...(criticality === undefined ? {} : { criticality: Number(criticality) }),
      ...(environment === undefined ? {} : { environment: environment.slice(0, 63) }),
      ...(get('crown_jewel') === undefined ? {} : { crown_jewel: isYes(get('crown_jewel')) }),
      ...(get('entry_point') === undefined ? {} : { entry_point: isYes(get('entry_point')) }),
    },
    ...(cve === undefined
      ? {}
      : {
          vulnerabilities: cve
            .split(/[\s;]+/)
            .filter(Boolean)
            .map((id) => ({ id: id.slice(0, 64) })),
        }),
    pointer,
  }
}

function relationOf({ get, pointer }: Row, source: string): ReadRelation {
  const kind = relationKinds.find((one) => one === get('relation')) ?? 'network_reach'
  const keyOf = (id: string | undefined) => ({ key: `${source}:${id ?? ''}` })
  return plainRelation(keyOf(get('external_id')), kind, keyOf(get('target')), pointer)
}
