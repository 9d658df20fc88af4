// `@portkey-ai/gateway` as it comes from the registry, with nothing switched on; BENCH_PORTKEY is where it is installed.
import { createServer } from 'node:net'
import { pathToFileURL } from 'node:url'
import { answerUsage } from '../usage.mjs'

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address()
    probe.close(() => resolve(free))
  })
})
process.argv.push(`--port=${port}`, '--headless')
const log = console.log
console.log = () => {}
await import(pathToFileURL(`${process.env.BENCH_PORTKEY}/node_modules/@portkey-ai/gateway/build/start-server.js`).href)
await new Promise((resolve) => setTimeout(resolve, 1_000))
console.log = log
answerUsage({ port })
