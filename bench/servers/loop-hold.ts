import { openSync, readSync } from 'node:fs'

/**
 * Answers the message `hold` with the longest between two turns of the event loop since it was last asked, in milliseconds:
 * by the clock, and in processor time of the main thread (Linux), which other work on the machine does not lengthen.
 */
export function answerHold(): void {
  const held = { wall: 0, cpu: 0 }
  const processorMs = createProcessorClock()
  let [last, lastCpu] = [performance.now(), processorMs()]
  setInterval(() => {
    const [now, cpu] = [performance.now(), processorMs()]
    held.wall = Math.max(held.wall, now - last - 1)
    held.cpu = Math.max(held.cpu, cpu - lastCpu)
    ;[last, lastCpu] = [now, cpu]
  }, 1)
  process.on('message', ({ type }: { readonly type: string }) => {
    if (type !== 'hold') return
    process.send?.({ type, ...held })
    Object.assign(held, { wall: 0, cpu: 0 })
  })
}

/** Processor time of the main thread in milliseconds; not a number elsewhere than on Linux. */
function createProcessorClock(): () => number {
  if (process.platform !== 'linux') return () => Number.NaN
  const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const bytes = Buffer.alloc(64)
  return () => Number(bytes.toString('latin1', 0, readSync(schedule, bytes, 0, 64, 0)).split(' ')[0]) / 1e6
}
