import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './rows/row.ts'

/** Rows of a JSON-lines file, in file order. */
export function readRows(folder: string, file: string): Row[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
