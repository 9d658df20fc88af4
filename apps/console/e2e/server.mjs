/** The demo as people start it, in an empty folder of its own, and calls of its API as its administrator. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
const port = process.env.PARAPET_E2E_PORT ?? '18083'
const readyWithinMs = 120_000

/** @returns the address, the account, a caller of the API, and how to stop */
export async function startDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-console-'))
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs'), '--demo'], {
    cwd: root,
    env: { ...process.env, PARAPET_PORT: port, PARAPET_DATA_DIR: folder, PARAPET_RATE_LIMIT_EXPENSIVE: '10000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await until(child, 'Parapet keeps serving')
  const address = `http://127.0.0.1:${port}`
  const account = JSON.parse(readFileSync(join(folder, 'demo-credentials.json'), 'utf8'))
  return {
    address,
    account,
    api: await caller(address, account),
    stop: async () => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await gone
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
  }
}
