/** The difference of two definitions as a JSON Patch (RFC 6902). Pure. Tested in pins.test.ts. */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import { escapePointer } from '../../../../kernel/schema/json-pointer.ts'

export interface DiffStep {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

const mostSteps = 200
const longestPath = 1024

/** Steps from one value to another, at most 200. Lists that differ are replaced whole. */
export function diffOf(from: unknown, to: unknown): DiffStep[] {
  return [...steps(from, to, '')].filter(({ path }) => path.length <= longestPath).slice(0, mostSteps)
}

function* steps(from: unknown, to: unknown, path: string): Generator<DiffStep> {
  if (isRecord(from) && isRecord(to)) {
    for (const name of Object.keys(from))
      if (!Object.hasOwn(to, name)) yield { op: 'remove', path: `${path}/${escapePointer(name)}` }
    for (const [name, value] of Object.entries(to)) {
      const at = `${path}/${escapePointer(name)}`
      if (Object.hasOwn(from, name)) yield* steps(from[name], value, at)
      else yield { op: 'add', path: at, value }
    }
  } else if (JSON.stringify(from) !== JSON.stringify(to)) {
    yield { op: 'replace', path, value: to }
  }
}
