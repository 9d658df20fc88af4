/** The whole program on the embedded database with an administrator and people who sign in. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { listen } from '../../apps/server/src/listen.ts'
import type { IamServices } from '../../apps/server/src/modules/iam/services.ts'
import { startProgram } from '../../apps/server/src/program.ts'
import { answerUsage } from '../usage.mjs'

const password = 'correct horse battery staple 42'
const people = Number(process.env.BENCH_PEOPLE ?? 100)
/** How many of them, the first ones, are suspended. */
const suspended = Number(process.env.BENCH_SUSPENDED ?? 0)
const config = loadConfig({
  PARAPET_PORT: '0',
  PARAPET_DATA_DIR: mkdtempSync(join(tmpdir(), 'parapet-bench-')),
  PARAPET_ACCESS_LOG: 'false',
  PARAPET_LOG_LEVEL: 'warn',
  PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  PARAPET_RATE_LIMIT_API: '100000000',
  PARAPET_RATE_LIMIT_CREDENTIAL: '100000000',
  ...(process.env.PARAPET_TRUSTED_PROXIES !== undefined && {
    PARAPET_TRUSTED_PROXIES: process.env.PARAPET_TRUSTED_PROXIES,
  }),
})
const program = await startProgram({ config })
const iam = program.assembled.modules.servicesOf('iam') as IamServices
await iam.bootstrapUnattended({ email: 'admin@bench.example', password })

async function send(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object, token?: string) {
  const answer = await program.app.inject({
    method,
    url: `/api/v1${url}`,
    ...(body === undefined ? {} : { payload: body }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.payload}`)
  return answer.json().data
}

const { access_token } = await send('POST', '/auth/login', { email: 'admin@bench.example', password })
const roles = await send('GET', '/iam/roles?q=viewer', undefined, access_token)
for (let n = 0; n < people; n += 1) {
  const email = `person-${n}@bench.example`
  const made = await send('POST', '/iam/users', { email, role_ids: [roles[0].id] }, access_token)
  await send('POST', '/auth/invitations/accept', { token: made.invitation_url.split('#')[1], password })
  if (n < suspended) await send('PATCH', `/iam/users/${made.id}`, { status: 'suspended' }, access_token)
}
const { address } = await listen(program, config)
answerUsage({ port: Number(new URL(address).port), people, password })
