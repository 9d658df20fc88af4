/**
 * The spools of an installation's data folder. Several processes may share the folder: each has a spool of its own and takes
 * over what those have left that are gone. Tested in spools.test.ts.
 */
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../crypto/random.ts'
import { lockDirectory } from '../db/adapters/directory-lock.ts'
import type { PlatformKeys } from '../keys/port.ts'
import { openSpool, type Spool } from './spool.ts'

export interface Spools {
  /** @throws Error when the disk refuses it or too many processes share the folder */
  open(name: string, limits: { readonly maxBytes: number }): Promise<Spool>
}

export interface SpoolsParts {
  readonly folder: string
  readonly platformKeys: Pick<PlatformKeys, 'derive'>
  readonly random: Pick<Random, 'bytes' | 'hex'>
}

/** Processes on one data folder. */
const mostSlots = 16

export function createSpools({ folder, platformKeys, random }: SpoolsParts): Spools {
  return {
    open: async (name, { maxBytes }) => {
      const key = platformKeys.derive(`spool:${name}`)
      const base = join(folder, name)
      await mkdir(base, { recursive: true, mode: 0o700 })
      let refused: unknown
      for (let slot = 0; slot < mostSlots; slot += 1) {
        try {
          return await openSlot(base, slot, (own) => openSpool({ folder: own, key, random, maxBytes }))
        } catch (error) {
          refused = error
        }
      }
      throw refused
    },
  }
}

async function openSlot(base: string, slot: number, open: (folder: string) => Promise<Spool>): Promise<Spool> {
  const own = join(base, String(slot))
  // Locked for a moment only while others' leavings are moved in: the spool counts its files when it is opened.
  const lock = await lockDirectory(own)
  try {
    await mkdir(own, { recursive: true, mode: 0o700 })
    for (let other = 0; other < mostSlots; other += 1)
      if (other !== slot) await takeOver(join(base, String(other)), own)
  } finally {
    await lock.release()
  }
  return open(own)
}

/** Moves in what a process left that is gone. Names are unique, and a record opens by the name of its file. */
async function takeOver(from: string, own: string): Promise<void> {
  const names = await readdir(from).catch(() => [])
  if (names.length === 0) return
  const lock = await lockDirectory(from).catch(() => null)
  if (lock === null) return
  try {
    for (const name of await readdir(from)) await rename(join(from, name), join(own, name))
  } finally {
    await lock.release()
  }
}
