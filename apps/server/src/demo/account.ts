import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@parapet/sdk'

export interface Account {
  readonly email: string
  readonly password: string
}

const email = 'demo@example.com'
const fileName = 'demo-credentials.json'

/**
 * Signs the demo's administrator in. With a setup token the tenant and the administrator are made first; without one
 * they are there from an earlier run, whose password lies in the data folder for nobody but its owner to read.
 * @throws Error with words for the person when the folder belongs to something else
 */
export async function openAccount(client: Client, dataDir: string, setupToken: string | null): Promise<Account> {
  const path = join(dataDir, fileName)
  const account = setupToken === null ? await readAccount(path, dataDir) : await found(client, path, setupToken)
  await client.login(account)
  return account
}

async function found(client: Client, path: string, setupToken: string): Promise<Account> {
  const account = { email, password: randomBytes(18).toString('base64url') }
  // Before the administrator exists: a password that nobody kept would lock everyone out.
  await writeFile(path, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600 })
  await client.post('/auth/bootstrap', {
    setup_token: setupToken,
    tenant: { name: 'Demo tenant (sample data)', slug: 'demo' },
    admin: { ...account, display_name: 'Demo administrator' },
  })
  return account
}

async function readAccount(path: string, dataDir: string): Promise<Account> {
  const known: unknown = JSON.parse(await readFile(path, 'utf8').catch(() => 'null'))
  if (isAccount(known)) return known
  throw new Error(
    `the database has an administrator, but there is no ${path}. Set PARAPET_DATA_DIR to another folder than ${dataDir}.`,
  )
}

function isAccount(value: unknown): value is Account {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'email') === 'string' &&
    typeof Reflect.get(value, 'password') === 'string'
  )
}
