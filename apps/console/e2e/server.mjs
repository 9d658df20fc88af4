/** The demo as people start it, in an empty folder of its own, and calls of its API as its administrator. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMail } from './mail.mjs'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
const port = process.env.PARAPET_E2E_PORT ?? '18083'
const readyWithinMs = 120_000

/** @returns the address, the account, callers of the API, the mail it sends, and how to stop */
export async function startDemo() {
  const mail = await openMail()
  // By name: browsers have passkeys for names alone.
  const address = `http://localhost:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'parapet-console-'))
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), '--demo'], {
    cwd: root,
    env: {
      ...process.env,
      PARAPET_PORT: port,
      PARAPET_DATA_DIR: folder,
      PARAPET_PUBLIC_URL: address,
      PARAPET_SMTP_URL: mail.url,
      PARAPET_RATE_LIMIT_EXPENSIVE: '10000',
      PARAPET_RATE_LIMIT_CREDENTIAL: '10000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await until(child, 'Parapet keeps serving')
  const direct = `http://127.0.0.1:${port}`
  const account = JSON.parse(readFileSync(join(folder, 'demo-credentials.json'), 'utf8'))
  return {
    address,
    account,
    direct,
    mail,
    api: await caller(direct, account),
    as: (other) => caller(direct, other),
    invite: (person) => invite({ direct, account, mail }, person),
    stop: async () => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await gone
      await mail.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function until(child, words) {
  let printed = ''
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`the demo did not print “${words}”:\n${printed}`)), readyWithinMs)
    child.once('close', () => reject(new Error(`the demo ended:\n${printed}`)))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (!printed.includes(words)) return
      clearTimeout(limit)
      resolve()
    })
  })
}

const password = 'a long passphrase of the checks'

/** Somebody invited by mail, with the link of the letter; `accept` makes the account active without a browser. */
async function invite({ direct, account, mail }, { email, role }) {
  const api = await caller(direct, account)
  const made = await api.post('/iam/users', { email, role })
  if (made.status !== 201) throw new Error(`${email} was not invited: ${JSON.stringify(made.body)}`)
  const link = await mail.link(email, 'invite')
  return {
    ...{ email, password, link },
    accept: () => accept(direct, link),
  }
}

/** Takes the invitation of a letter by the API. */
export async function accept(direct, link) {
  const answer = await fetch(`${direct}/api/v1/auth/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.slice(link.indexOf('#') + 1), password }),
  })
  if (!answer.ok) throw new Error(`the invitation was not taken: ${await answer.text()}`)
  return { email: (await answer.json()).data.email, password }
}

async function caller(address, { email, password }) {
  const call = async (method, path, body, token) => {
    const answer = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const { data } = (await call('POST', '/auth/login', { email, password })).body
  return {
    get: async (path) => (await call('GET', path, undefined, data.access_token)).body,
    post: (path, body) => call('POST', path, body, data.access_token),
    patch: (path, body) => call('PATCH', path, body, data.access_token),
  }
}
