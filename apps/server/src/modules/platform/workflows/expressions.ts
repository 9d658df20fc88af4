/**
 * CEL in definitions: whole expressions, and `${{ … }}` within any text. A text that is one expression gives its value, any
 * other text the values in it. Expressions read the trigger's event, the input, the outputs of earlier steps and the run,
 * and reach nothing else. Tested in expressions.test.ts.
 */
import { CelFault, compileExpression, createCelReader } from '../../../kernel/cel/program.ts'
import type { CelFields } from '../../../kernel/cel/shape.ts'

const names = ['event', 'input', 'steps', 'run', 'item', 'index'] as const

const variables: CelFields = Object.fromEntries(names.map((name) => [name, { shape: 'dyn' } as const]))

export interface Scope {
  readonly event: unknown
  readonly input: unknown
  /** By step id: `{ output, status }`. */
  readonly steps: Readonly<Record<string, unknown>>
  readonly run: unknown
  readonly item?: unknown
  readonly index?: number
}

const read = createCelReader((source: string) => compileExpression(source, { variables, result: 'dyn' }))

/** Why an expression cannot be used, with the place in characters from 1; null for one that can. */
export function refusalOf(source: string): string | null {
  const compiled = read(source)
  if (compiled.ok) return null
  return compiled.position === null ? compiled.reason : `${compiled.reason} (character ${compiled.position})`
}

/** @throws CelFault */
export function evaluated(source: string, scope: Scope): unknown {
  const compiled = read(source)
  if (!compiled.ok) throw new CelFault(compiled.reason)
  const { event, input, steps, run, item = null, index = null } = scope
  return compiled.expression.evaluate({ event, input, steps, run, item, index })
}

/** @throws CelFault where it is neither true nor false */
export function isTrue(source: string, scope: Scope): boolean {
  const value = evaluated(source, scope)
  if (typeof value !== 'boolean') throw new CelFault('It is not a condition: it answers neither true nor false.')
  return value
}

interface Piece {
  readonly text: string
  readonly isExpression: boolean
}

/** An expression ends at the first `}}`, so a map within one needs a space between its braces. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let rest = text
  for (;;) {
    const start = rest.indexOf('${{')
    const end = start < 0 ? -1 : rest.indexOf('}}', start)
    if (end < 0) break
    if (start > 0) pieces.push({ text: rest.slice(0, start), isExpression: false })
    pieces.push({ text: rest.slice(start + 3, end).trim(), isExpression: true })
    rest = rest.slice(end + 2)
  }
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, { text: rest, isExpression: false }]
}

/** Every text within a value with its expressions replaced. @throws CelFault */
export function filled(value: unknown, scope: Scope): unknown {
  return mapped(value, (text) => filledText(text, scope))
}

/** The same for a rehearsal, where outputs are missing: a text that cannot be decided yet stays as it is written. */
export function filledSoFar(value: unknown, scope: Scope): unknown {
  return mapped(value, (text) => {
    try {
      return filledText(text, scope)
    } catch (error) {
      if (error instanceof CelFault) return text
      throw error
    }
  })
}

function mapped(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((one) => mapped(one, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, replace)]))
}

function filledText(text: string, scope: Scope): unknown {
  if (!text.includes('${{')) return text
  const pieces = piecesOf(text)
  const [first] = pieces
  if (pieces.length === 1 && first?.isExpression === true) return evaluated(first.text, scope)
  return pieces.map((piece) => (piece.isExpression ? shown(evaluated(piece.text, scope)) : piece.text)).join('')
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

/** Every expression within a value, with the pointer of its text. */
export function expressionsIn(value: unknown, pointer: string): readonly { source: string; pointer: string }[] {
  if (typeof value === 'string')
    return piecesOf(value).flatMap((piece) => (piece.isExpression ? [{ source: piece.text, pointer }] : []))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => expressionsIn(member, `${pointer}/${name}`))
}

/** Whether a text has expressions, so that its form is known only when it runs. */
export const isTemplate = (value: unknown): boolean => typeof value === 'string' && value.includes('${{')
