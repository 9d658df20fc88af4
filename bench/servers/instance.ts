/**
 * One of several instances on the database at BENCH_DATABASE_URL, under the key BENCH_KEY: the first, which is given the
 * upstream at BENCH_UPSTREAM, sets the tenant and its provider up; the others only listen.
 */
import { answerUsage } from '../usage.mjs'
import { startListening, startWholeProgram } from './whole-program.ts'

const { BENCH_UPSTREAM: upstream, BENCH_DATABASE_URL: database = '', BENCH_KEY: key = '' } = process.env
const settings = {
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.1/32',
  PARAPET_DATABASE_URL: database,
  PARAPET_KEY_ENCRYPTION_KEY: key,
  // Part of every token, so it must be the same for all.
  PARAPET_PUBLIC_URL: 'http://127.0.0.1:8080',
}

async function first(base_url: string) {
  const { port, token, post } = await startWholeProgram(settings)
  const secrets = [{ id: 'main', value: 'not-a-real-key-0123456789' }]
  await post('/gateway/providers', { name: 'mock', kind: 'openai_compatible', base_url, models: ['mock-*'], secrets })
  return { port, token }
}

async function another() {
  const { port } = await startListening(settings)
  return { port }
}

answerUsage(upstream === undefined ? await another() : await first(upstream))
