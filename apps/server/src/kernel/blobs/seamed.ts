import type { Clock } from '../base/clock.ts'
import { type Faults, passSeam } from '../faults/seams.ts'
import type { BlobName, BlobStore } from './port.ts'

/** A store behind the seam `blob`: an operation that is made to fail throws InjectedFault, as a broken disk throws its error. */
export function createSeamedStore(store: BlobStore, { seams }: Faults, clock: Pick<Clock, 'after'>): BlobStore {
  const pass = ({ tenantId }: BlobName, target: string): Promise<void> | null =>
    seams.blob === undefined ? null : passSeam(seams.blob, { seam: 'blob', tenantId, target, clock })
  return {
    put: (name, content) => pass(name, 'put')?.then(() => store.put(name, content)) ?? store.put(name, content),
    read: (name, range) => {
      const passing = pass(name, 'read')
      return passing === null ? store.read(name, range) : readAfter(passing, () => store.read(name, range))
    },
    delete: (name) => pass(name, 'delete')?.then(() => store.delete(name)) ?? store.delete(name),
    check: () => store.check(),
  }
}

async function* readAfter(passing: Promise<void>, read: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  await passing
  yield* read()
}
