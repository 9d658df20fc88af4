import { tmpdir } from 'node:os'
import { basename } from 'node:path'

/** Set by begin-run.ts before the workers start, which inherit it. */
export const runVariable = 'PARAPET_TEST_RUN'

/** Folder of this test run, removed at its end; outside of a run the system's temporary folder. */
export const runFolder = (): string => process.env[runVariable] ?? tmpdir()

/** Name of this run or, outside of one, of this process; letters, digits and underscores. */
export function runName(): string {
  const folder = process.env[runVariable]
  return folder === undefined ? String(process.pid) : basename(folder).replaceAll(/\W/g, '_').toLowerCase()
}
