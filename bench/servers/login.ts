/** The whole program with people who sign in, some of them suspended. */
import { answerUsage } from '../usage.mjs'
import { password, startWholeProgram } from './whole-program.ts'

const { BENCH_DATABASE_URL: database, PARAPET_TRUSTED_PROXIES: proxies } = process.env
const people = Number(process.env.BENCH_PEOPLE ?? 100)
/** How many of them, the first ones, are suspended. */
const suspended = Number(process.env.BENCH_SUSPENDED ?? 0)
const { program, port, token } = await startWholeProgram({
  PARAPET_RATE_LIMIT_CREDENTIAL: '100000000',
  ...(database !== undefined && { PARAPET_DATABASE_URL: database }),
  ...(proxies !== undefined && { PARAPET_TRUSTED_PROXIES: proxies }),
})

async function send(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) {
  const answer = await program.app.inject({
    method,
    url: `/api/v1${url}`,
    ...(body === undefined ? {} : { payload: body }),
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.payload}`)
  return answer.json().data
}

const roles = await send('GET', '/iam/roles?q=viewer')
for (let n = 0; n < people; n += 1) {
  const email = `person-${n}@bench.example`
  const made = await send('POST', '/iam/users', { email, role_ids: [roles[0].id] })
  await send('POST', '/auth/invitations/accept', { token: made.invitation_url.split('#')[1], password })
  if (n < suspended) await send('PATCH', `/iam/users/${made.id}`, { status: 'suspended' })
}
answerUsage({ port, people, password })
