// The server's side of child.mjs: tells where it listens, how much CPU it has used, what it holds and what it allocates.
import { Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function answerUsage(ready) {
  process.on('message', (message) => {
    if (message.type === 'exit') process.exit(0)
    if (message.type === 'memory') return process.send({ type: 'memory', ...held() })
    if (message.type === 'sample') return sample(message.on)
    if (message.type !== 'usage') return
    const { user, system } = process.cpuUsage()
    process.send({ type: 'usage', cpu: user + system, rss: process.memoryUsage().rss })
  })
  process.send({ type: 'ready', ...ready })
}

/** Bytes after a collection, so that what is only waiting for one is not counted. */
function held() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { rss, heapUsed: heap, external, arrayBuffers } = process.memoryUsage()
  return { rss, heap, external, arrayBuffers }
}

const session = new Session()

/** Begins to sample allocations, also of what is collected at once; ends with the bytes by place of the code. */
function sample(on) {
  if (on) {
    session.connect()
    const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
    const begun = () => process.send({ type: 'sample' })
    return session.post('HeapProfiler.startSampling', { samplingInterval: 16_384, ...collected }, begun)
  }
  session.post('HeapProfiler.stopSampling', (_error, { profile }) => {
    const bytes = {}
    // Allocations of the language itself (`sort`, `Map`) are counted with their caller.
    const add = ({ callFrame: { functionName, lineNumber, url }, selfSize, children }, caller) => {
      const place = url === '' ? caller : `${functionName || '(unnamed)'}:${lineNumber + 1}`
      bytes[place] = (bytes[place] ?? 0) + selfSize
      for (const child of children) add(child, place)
    }
    add(profile.head, '(nobody)')
    process.send({ type: 'sample', bytes })
  })
}
