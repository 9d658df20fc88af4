/**
 * Rows of evaluation files, told apart by their fields. Positions are UTF-16 offsets, end exclusive.
 * Tested in rows.test.ts.
 */
export interface LabeledSpan {
  readonly start: number
  readonly end: number
  readonly type: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
}

export interface InjectionRow {
  readonly engine: 'injection'
  readonly text: string
  readonly isAttack: boolean
  readonly kind: string
  readonly source: string
}

export interface SpanRow {
  readonly engine: 'pii' | 'secrets'
  readonly text: string
  /** Kind of the text; empty when the file does not say. */
  readonly kind: string
  readonly spans: readonly LabeledSpan[]
}

export type EvalRow = InjectionRow | SpanRow

/** A line that is no row, with a message for the person who wrote it. */
export class RowError extends Error {}

/**
 * Reads one line: `text` and `label` 0 or 1 for injection, `text` and `spans` for personal data, `text_b64` and `spans`
 * for secrets.
 * @throws RowError when it is none of these.
 */
export function parseRow(line: string): EvalRow {
  const row = parsedObject(line)
  if ('text_b64' in row) return spanRow('secrets', row, decodedText(stringOf(row, 'text_b64')))
  if ('spans' in row) return spanRow(row.label === 'secret' ? 'secrets' : 'pii', row, stringOf(row, 'text'))
  if (row.label !== 0 && row.label !== 1) throw new RowError('it has neither `spans` nor a `label` of 0 or 1')
  return {
    engine: 'injection',
    text: stringOf(row, 'text'),
    isAttack: row.label === 1,
    kind: nameOf(row, 'kind'),
    source: nameOf(row, 'source'),
  }
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsedObject(line: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new RowError('it is not JSON', { cause })
  }
  if (!isFields(value)) throw new RowError('it is not a JSON object')
  return value
}

function stringOf(row: Fields, field: string): string {
  const value = row[field]
  if (typeof value !== 'string') throw new RowError(`\`${field}\` is not a string`)
  return value
}

const nameOf = (row: Fields, field: string): string => (typeof row[field] === 'string' ? row[field] : '')

function decodedText(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new RowError('`text_b64` is not base64 of UTF-8 text', { cause })
  }
}

function spanRow(engine: 'pii' | 'secrets', row: Fields, text: string): SpanRow {
  if (!Array.isArray(row.spans)) throw new RowError('`spans` is not a list')
  const spans = row.spans.map((span: unknown) => spanOf(span, text.length))
  return { engine, text, kind: nameOf(row, 'kind'), spans }
}

function spanOf(span: unknown, length: number): LabeledSpan {
  if (!isFields(span)) throw new RowError('a span is not an object')
  const { start, end, type, country } = span
  const isPlaced = typeof start === 'number' && typeof end === 'number' && start >= 0 && start < end && end <= length
  if (!isPlaced) throw new RowError(`a span is not inside the text of ${length} UTF-16 units`)
  if (typeof type !== 'string') throw new RowError('the `type` of a span is not a string')
  return { start, end, type, ...(typeof country === 'string' && { country }) }
}
