/**
 * The sizes of generated test matrices: a matrix that is generated from declarations would pass just as well if
 * nothing were generated. Each has a minimum size in docs/security/matrices.json, a little below its actual size, so
 * that a shrinking matrix fails; deliberate removals lower the minimum there. Tested in test/docs/matrices.test.ts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repository } from '../borders/sources.ts'

export interface Matrix {
  /** Name of the counted cases, in the plural. */
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
