/**
 * The sizes of what tests make for themselves: a matrix that is generated from declarations would pass just as well if
 * nothing were generated. Each has a least size in docs/security/matrices.json, a little below what it has, so that a
 * matrix that shrinks fails; whoever takes cases away on purpose says so there. Tested in test/docs/matrices.test.ts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repository } from '../borders/sources.ts'

export interface Matrix {
  /** What is counted, in the plural. */
  readonly name: string
  readonly controls: readonly string[]
  readonly least: number
}

export const matrices = (
  JSON.parse(readFileSync(join(repository, 'docs/security/matrices.json'), 'utf8')) as {
    readonly matrices: readonly Matrix[]
  }
).matrices

/** Says how large the matrix was, and fails where that is less than it has to be. */
export function held(name: string, count: number): void {
  process.stdout.write(`${count} ${name}\n`)
  const least = matrices.find((matrix) => matrix.name === name)?.least
  expect(least, `docs/security/matrices.json knows no ${name}`).toBeDefined()
  expect(count, name).toBeGreaterThanOrEqual(least ?? 0)
}
