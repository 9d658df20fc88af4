/** The whole program in front of the upstream at BENCH_UPSTREAM, on the database at BENCH_DATABASE_URL or its own. */
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { BENCH_UPSTREAM: upstream = '', BENCH_DATABASE_URL: database } = process.env
const { port, token, post } = await startWholeProgram({
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.1/32',
  ...(database !== undefined && { PARAPET_DATABASE_URL: database }),
})
await post('/gateway/providers', {
  name: 'mock',
  kind: 'openai_compatible',
  base_url: upstream,
  models: ['mock-1'],
  secrets: [{ id: 'main', value: 'not-a-real-key-0123456789' }],
})
answerUsage({ port, token })
