/**
 * Bytes to a receiver that answers nothing, such as a collector of syslog, over one guarded connection. Resolves when the
 * system has taken all of them and the other side has not refused; it cannot tell whether they were read. Tested in
 * send-bytes.test.ts.
 */
import type { DialTarget } from './dial.ts'
import { EgressError } from './errors.ts'
import type { Egress } from './fetch.ts'

/** @throws EgressError */
export async function sendBytes(egress: Pick<Egress, 'dial'>, target: DialTarget, bytes: Uint8Array): Promise<void> {
  const socket = await egress.dial(target)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (cause) => reject(new EgressError('reset', { cause })))
    socket.setTimeout(target.timeoutMs, () => socket.destroy(new EgressError('timeout_idle')))
    socket.end(bytes, () => resolve())
  })
}
