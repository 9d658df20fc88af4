/** The whole program with one tenant, limits out of the way, in a folder of its own. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import type { IamServices } from '../../apps/server/src/modules/iam/services/iam-services.ts'
import { type ProgramInput, startProgram } from '../../apps/server/src/program.ts'

export const password = 'correct horse battery staple 42'

type Own = Pick<ProgramInput, 'modules' | 'threadEntry'>

/** Starts it with further settings, and modules of a measurement's own, and lets it listen. */
export async function startListening(settings: Readonly<Record<string, string>>, own: Own = {}) {
  const config = loadConfig({
    PARAPET_PORT: '0',
    PARAPET_DATA_DIR: mkdtempSync(join(tmpdir(), 'parapet-bench-')),
    PARAPET_ACCESS_LOG: 'false',
    PARAPET_LOG_LEVEL: 'warn',
    PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PARAPET_RATE_LIMIT_API: '100000000',
    PARAPET_RATE_LIMIT_INFERENCE: '100000000',
    PARAPET_CONNECTIONS_PER_ADDRESS: '100000',
    ...settings,
  })
  const program = await startProgram({ config, ...own })
  await program.app.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  return { program, port: program.app.addresses()[0]?.port }
}

/** The same with a tenant; answers the program, where it listens, the token of its administrator, and a way to ask it. */
export async function startWholeProgram(settings: Readonly<Record<string, string>>, own: Own = {}) {
  const { program, port } = await startListening(settings, own)
  const iam = program.assembled.modules.servicesOf('iam') as IamServices
  let token: string | undefined
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  const { token: setupToken } = await iam.setup.ensure()
  await post('/auth/bootstrap', {
    setup_token: setupToken,
    tenant: { name: 'Bench', slug: 'bench' },
    admin: { email: 'bench@bench.example', display_name: 'Bench', password },
  })
  const login = await post('/auth/login', { email: 'bench@bench.example', password })
  token = login.access_token
  return { program, port, token, post }
}
