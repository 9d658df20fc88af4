// The server's side of child.mjs: tells where it listens, how much CPU it has used, and what it holds.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function answerUsage(ready) {
  process.on('message', (message) => {
    if (message.type === 'exit') process.exit(0)
    if (message.type === 'memory') return process.send({ type: 'memory', ...held() })
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
  const { rss, heapUsed: heap } = process.memoryUsage()
  return { rss, heap }
}
