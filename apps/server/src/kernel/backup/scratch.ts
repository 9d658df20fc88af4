/**
 * The database in which a backup is proven: in memory where it is small, otherwise in a folder of this instance, so that
 * proving and replacing need no more memory than any other work. Promises that the folder is gone afterwards; leftovers
 * of a killed process are removed by the next one that needs room. Tested in scratch.test.ts.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../crypto/random.ts'
import { mayMakeDataDirectory } from '../db/adapters/data-directory.ts'
import { lockDirectory } from '../db/adapters/directory-lock.ts'
import { openPglite } from '../db/adapters/pglite.ts'
import type { Driver } from '../db/port.ts'

export interface ScratchParts {
  /** For databases only; only its owner may look in. */
  readonly folder: string
  readonly random: Pick<Random, 'uuid'>
  /** Bytes of a backup's file up to which its rows are held in memory; default 64 MiB. */
  readonly mostInMemory?: number | undefined
}

const mostInMemory = 67_108_864

/** @param bytes of the file; null if unknown */
export async function withScratch<T>(
  parts: ScratchParts,
  bytes: number | null,
  work: (driver: Driver) => Promise<T>,
): Promise<T> {
  const isSmall = bytes !== null && bytes <= (parts.mostInMemory ?? mostInMemory)
  const dataDir = isSmall || !(await mayMakeDataDirectory()) ? null : join(parts.folder, parts.random.uuid())
  if (dataDir !== null) await makeRoom(parts.folder)
  const driver = await openPglite({ dataDir })
  try {
    return await work(driver)
  } finally {
    await driver.close()
    if (dataDir !== null) await rm(dataDir, { recursive: true, force: true })
  }
}

async function makeRoom(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(folder)).filter((name) => !name.includes('.'))
  for (const name of names) await removeLeft(join(folder, name))
}

async function removeLeft(dir: string): Promise<void> {
  // A process that still works with it holds its lock.
  const lock = await lockDirectory(dir).catch(() => null)
  if (lock === null) return
  await rm(dir, { recursive: true, force: true })
  await lock.release()
}
