import { parseDocument } from 'yaml'
import { broken, mostDepth, nested } from '../limits.ts'
import { UnpackError } from '../port.ts'

/** Values that one alias may stand for, counted with those it stands for in turn. */
const mostAliases = 100
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** Columns that a line may be indented: each level of blocks takes one at least. */
const mostIndent = 512

/**
 * The library parses by generators that call each other level by level, and one deep enough ends the whole process, not
 * only its thread. So the depth is bounded before it sees the text: brackets wherever they stand, and blocks by their lines.
 * @throws UnpackError `nested`
 */
function refuseDeep(text: string): void {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > mostDepth) throw nested()
  }
  for (const [, indent = ''] of text.matchAll(/^([\t -]*(?:[?:-][\t ]+)*)/gm))
    if (indent.length > mostIndent) throw nested()
}

/** One document of the core schema as plain data; tags of others are refused. @throws UnpackError */
export function readYaml(text: string): unknown {
  refuseDeep(text)
  const document = parsed(text)
  const [error] = document.errors
  if (error !== undefined) throw broken(`The file is not valid YAML (line ${error.linePos?.[0].line ?? 1}).`, error)
  if (document.warnings.length > 0) throw new UnpackError('entities', 'The file uses tags beyond the core schema.')
  const value = plain(document)
  judge(value, 0)
  return value
}

function parsed(text: string) {
  try {
    return parseDocument(text, { schema: 'core', uniqueKeys: true, strict: true, logLevel: 'error', version: '1.2' })
  } catch (error) {
    throw error instanceof RangeError ? nested() : broken('The file is not valid YAML.', error)
  }
}

function plain(document: ReturnType<typeof parsed>): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases })
  } catch (error) {
    if (error instanceof ReferenceError) throw new UnpackError('entities', 'The file has too many aliases.', error)
    throw error instanceof RangeError ? nested() : broken('The file is not valid YAML.', error)
  }
}

function judge(value: unknown, depth: number): void {
  if (depth > mostDepth) throw nested()
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (forbidden.has(name)) throw broken('The file has a member with a forbidden name.')
    judge(member, depth + 1)
  }
}
