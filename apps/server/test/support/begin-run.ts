/**
 * Gives the test run a folder. Workers are ended without notice, so the servers and databases that their files share
 * are not closed: this removes their leftovers after the last one. Tested by everything that uses it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chosenKind, dropDatabasesOf } from './database.ts'
import { runName, runVariable } from './run-folder.ts'

export default async function beginRun(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-run-'))
  process.env[runVariable] = folder
  return async () => {
    if (chosenKind() === 'pg') await dropDatabasesOf(runName())
    await rm(folder, { recursive: true, force: true })
  }
}
