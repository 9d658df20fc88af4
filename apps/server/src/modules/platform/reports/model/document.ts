/**
 * A report as plain data: figures, tables and charts by section, made from the facts of one snapshot. Everything that is
 * written later comes from here, so that equal snapshots give equal files. Pure. Tested in charts.test.ts and ../formats.test.ts.
 */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import { canonicalJson } from '../../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import type {
  Cell,
  DocumentSection,
  DocumentTable,
  Figure,
  WrittenDocument,
} from '../../../../kernel/documents/document.ts'
import { version as productVersion } from '../../../../version.ts'
import type { ReportKind } from '../../declared/report-words.ts'
import { chartsOf } from './charts.ts'

export interface Section extends DocumentSection {
  readonly fact: string
}

export interface ReportDocument {
  readonly form: 'parapet/report/1'
  readonly product_version: string
  readonly tenant_id: string
  readonly report_id: string
  readonly kind: ReportKind
  readonly title: string
  readonly snapshot_at: string
  readonly days: number
  readonly omitted: readonly string[]
  readonly sections: readonly Section[]
}

export interface FactReadingOf {
  readonly name: string
  readonly description: string
  readonly data: Readonly<Record<string, unknown>>
}

export type DocumentHead = Omit<ReportDocument, 'form' | 'product_version' | 'sections'>

export function documentOf(head: DocumentHead, readings: readonly FactReadingOf[]): ReportDocument {
  return { form: 'parapet/report/1', product_version: productVersion, ...head, sections: readings.map(sectionOf) }
}

/** The report as the formats for people take it. */
export function writtenOf(document: ReportDocument): WrittenDocument {
  const { tenant_id: tenant, report_id: report, omitted, title, product_version, snapshot_at, sections } = document
  const notes = omitted.length === 0 ? [] : [`Left out, because the requester may not read it: ${omitted.join(', ')}.`]
  return {
    ...{ title, product_version, snapshot_at, notes, sections, digest: sha256(canonicalJson(document)) },
    ...{ subject: `Report ${report} of tenant ${tenant}`, origin: `Tenant ${tenant}, report ${report}.` },
  }
}

/** `aegis.open_critical` as `Open critical`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function sectionOf({ name, description, data }: FactReadingOf): Section {
  const figures = figuresIn(data, '')
  const tables = tablesIn(data, '')
  return {
    fact: name,
    title: wordsOf(name.split('.').slice(1).join('.')),
    description,
    figures,
    charts: chartsOf(name, { figures, tables }),
    tables,
  }
}

const isPlain = (value: unknown): value is Cell =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

function figuresIn(data: Readonly<Record<string, unknown>>, prefix: string): readonly Figure[] {
  return Object.entries(data).flatMap(([name, value]): readonly Figure[] => {
    const path = prefix === '' ? name : `${prefix} ${name}`
    if (isPlain(value)) return [{ label: wordsOf(path), value }]
    if (isRecord(value)) return figuresIn(value, path)
    if (!Array.isArray(value) || !value.every(isPlain)) return []
    return [{ label: wordsOf(path), value: value.length === 0 ? 'none' : value.join(', ') }]
  })
}

function tablesIn(data: Readonly<Record<string, unknown>>, prefix: string): readonly DocumentTable[] {
  return Object.entries(data).flatMap(([name, value]): readonly DocumentTable[] => {
    const path = prefix === '' ? name : `${prefix} ${name}`
    if (isRecord(value)) return tablesIn(value, path)
    return Array.isArray(value) && value.length > 0 && value.every(isRecord) ? [tableOf(path, value)] : []
  })
}

function tableOf(path: string, rows: readonly Readonly<Record<string, unknown>>[]): DocumentTable {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return {
    title: wordsOf(path),
    columns: names.map(wordsOf),
    rows: rows.map((row) => names.map((name) => cellOf(row[name]))),
  }
}

function cellOf(value: unknown): Cell {
  if (value === undefined) return null
  if (isPlain(value)) return value
  return Array.isArray(value) && value.every(isPlain) ? value.join(', ') : JSON.stringify(value)
}
