/**
 * Attacks a running installation from outside, without an account, and prints by control how many attempts it stood.
 *
 *   node scripts/attack.mjs <address>      e.g. https://parapet.example, proxies and all
 *
 * For those who run Parapet and want to see their own: what lies between the internet and the program is tried with it.
 * It changes nothing that stands; refused attempts are counted, so afterwards this address may be slowed down for a
 * minute. Ends with 0 when every attempt was refused as it should be, else with 1 and a line for each. Only attack what
 * is yours. Tested in apps/server/test/docs/attack.test.ts.
 */
import { pathToFileURL } from 'node:url'
import { answersTo, rawAttempts } from './attack/raw.mjs'
import { forgedTokens } from './attack/tokens.mjs'

const timeoutMs = 15_000
const nobody = '01890000-0000-7000-8000-000000000000'

async function send(base, path, { method = 'GET', headers = {}, body } = {}) {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Null where the attempt was refused as it should be. */
const unless = (right, answer) => (right ? null : `answered ${answer.status} ${answer.text.slice(0, 120)}`)

/** Routes that ask for a credential, as the installation itself tells them; none where it keeps its document to itself. */
async function protectedRoutes(base) {
  const { status, text } = await send(base, '/openapi.json')
  if (status !== 200) return []
  const { paths } = JSON.parse(text)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, route]) => Array.isArray(route?.security) && route.security.length > 0)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, nobody) })),
  )
}

async function withoutRights(base) {
  const attempts = []
  for (const { method, path } of await protectedRoutes(base))
    for (const [who, headers] of [
      ['nobody', {}],
      ['a made-up key', { 'x-api-key': 'made-up' }],
    ]) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}'
      const answer = await send(base, path, { method, headers, body })
      attempts.push([`${method} ${path} by ${who}`, unless([401, 429].includes(answer.status), answer)])
    }
  return attempts
}

async function withForgedTokens(base) {
  const { text } = await send(base, '/.well-known/jwks.json')
  const attempts = []
  for (const [what, token] of forgedTokens(text, base)) {
    const answer = await send(base, '/api/v1/auth/me', { headers: { authorization: `Bearer ${token}` } })
    attempts.push([what, unless([400, 401, 429, 431].includes(answer.status), answer)])
  }
  return attempts
}

const bodies = [
  '{"email":"a@b.example","email":"c@d.example","password":"x"}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"email":"a@b.example","password":"x","is_admin":true}',
  '{"email":["a@b.example"],"password":"x"}',
  '{"email":1,"password":"x"}',
  '[]',
  '{"email":',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '{"email":"a\\u0000b@c.example","password":"x"}',
]

async function withOddBodies(base) {
  const attempts = []
  for (const body of bodies) {
    const answer = await send(base, '/api/v1/auth/login', { method: 'POST', body })
    attempts.push([body.slice(0, 60), unless([400, 429].includes(answer.status), answer)])
  }
  return attempts
}

const telling = /\bat \/|node_modules|\.[cm]?[jt]s:\d+|\bselect .* from\b|relation "|ECONN|ENOENT/i
const wantedHeaders = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /no-store/,
}
const places = ['/api/v1/iam/users', '/api/v1/nowhere', '/nowhere', '/api/v1/iam/users/%zz', '/api/v1/auth/me?a=1&a=2']

async function answers(base, judge) {
  const attempts = []
  for (const path of places) {
    const answer = await send(base, path, { headers: { origin: 'https://elsewhere.example' } })
    attempts.push([path, judge(answer)])
  }
  return attempts
}

function headerFault({ headers }) {
  const wrong = Object.entries(wantedHeaders).filter(([name, form]) => !form.test(headers.get(name) ?? ''))
  const told = ['x-powered-by'].filter((name) => headers.has(name))
  const faults = [...wrong.map(([name]) => `${name}: ${headers.get(name)}`), ...told.map((name) => `tells ${name}`)]
  return faults.length === 0 ? null : faults.join('; ')
}

async function withOddMethods(base) {
  const attempts = []
  for (const method of ['PROPFIND', 'SEARCH', 'PUT', 'OPTIONS']) {
    const answer = await send(base, '/api/v1/iam/users', { method })
    attempts.push([method, unless([400, 401, 403, 405, 429, 501].includes(answer.status), answer)])
  }
  return attempts
}

async function raw(base, control) {
  const attempts = []
  for (const { what, bytes, refusals } of rawAttempts.filter((one) => one.control === control)) {
    const statuses = await answersTo(base, bytes, timeoutMs)
    // A connection that is closed without a word is a refusal as well.
    const right = statuses.length <= 1 && statuses.every((status) => refusals.includes(status))
    attempts.push([what, right ? null : `answered ${statuses.join(', ')}`])
  }
  return attempts
}

const sections = [
  ['C01', 'Forged tokens', withForgedTokens],
  ['C13', 'Every protected route, without rights', withoutRights],
  ['C20', 'Bodies that two parsers read in two ways', withOddBodies],
  ['C21', 'Requests with two ends', (base) => raw(base, 'C21')],
  ['C22', 'Headers and bodies that are too long', (base) => raw(base, 'C22')],
  ['C40', 'Errors that tell of the inside', (base) => answers(base, ({ text }) => telling.exec(text)?.[0] ?? null)],
  ['C41', 'Headers that keep browsers safe', (base) => answers(base, headerFault)],
  [
    'C44',
    'Pages of other origins',
    (base) => answers(base, ({ headers }) => headers.get('access-control-allow-origin')),
  ],
  ['C45', 'Methods that nobody declared', withOddMethods],
]

/** @returns by control what was tried, how often, and what went through */
export async function attack(address) {
  const base = address.replace(/\/$/, '')
  const found = []
  for (const [control, what, run] of sections) {
    const attempts = await run(base)
    const faults = attempts.flatMap(([attempt, fault]) => (fault === null ? [] : [`${attempt}: ${fault}`]))
    found.push({ control, what, tried: attempts.length, faults })
  }
  return found
}

async function main() {
  const [address] = process.argv.slice(2)
  if (address === undefined || !URL.canParse(address)) throw new Error('Usage: attack.mjs <address>')
  const found = await attack(address)
  for (const { control, what, tried, faults } of found) {
    console.log(`${control}  ${what.padEnd(44)} ${String(tried).padStart(5)} tried, ${faults.length} went through`)
    for (const fault of faults) console.log(`     ${fault}`)
  }
  process.exitCode = found.some(({ faults }) => faults.length > 0) ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
