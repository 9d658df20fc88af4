import { parentPort } from 'node:worker_threads'
import { removeProtoAccessor } from '../../base/harden.ts'
import type { UnpackOrder, UnpackReport } from '../order.ts'
import { UnpackError } from '../port.ts'
import { openFile } from './open-file.ts'

/** The whole life of the thread: one file at a time. */
if (parentPort !== null) {
  removeProtoAccessor()
  const port = parentPort
  port.on('message', (order: UnpackOrder) => {
    void opened(order).then((report) => port.postMessage(report))
  })
}

async function opened(order: UnpackOrder): Promise<UnpackReport> {
  try {
    return { ok: true, output: await openFile(order) }
  } catch (error) {
    if (error instanceof UnpackError) return { ok: false, kind: error.kind, text: error.message }
    if (error instanceof RangeError) return { ok: false, kind: 'nested', text: 'The file nests too deep to be read.' }
    return { ok: false, kind: 'broken', text: 'The file cannot be read.' }
  }
}
