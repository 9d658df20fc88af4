import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TenantId } from '../access/actor.ts'
import { makeFolder, syncFolder } from '../blobs/adapters/disk-files.ts'

/** Names erased people by ids alone. */
export interface ErasureNote {
  readonly tenantId: TenantId
  readonly userId: string
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const notePattern = new RegExp(`^(${uuid})\\.(${uuid})$`)

const placeOf = (folder: string): string => join(folder, 'erasures')

/** An empty file whose name says everything, so that none is ever half there. */
export async function writeNote(folder: string, { tenantId, userId }: ErasureNote): Promise<void> {
  const place = placeOf(folder)
  await makeFolder(place)
  await (await open(join(place, `${tenantId}.${userId}`), 'a', 0o600)).close()
  await syncFolder(place)
}

export async function readNotes(folder: string): Promise<readonly ErasureNote[]> {
  const names = await readdir(placeOf(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.flatMap((name) => {
    const [, tenantId, userId] = notePattern.exec(name) ?? []
    return tenantId === undefined || userId === undefined ? [] : [{ tenantId: tenantId as TenantId, userId }]
  })
}
