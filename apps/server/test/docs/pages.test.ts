/** Every block of the tutorial and of the how-to pages does what the page says, in the order of a reader. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { openUpstream, sayBack, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import type { IamServices } from '../../src/modules/iam/services/iam-services.ts'
import { modules } from '../../src/modules.ts'
import { type Program, startProgram } from '../../src/program.ts'
import { openTestDatabase } from '../support/database.ts'
import { ownCredentials } from '../support/own-credentials.ts'
import { freePort, type Program as RunningProgram, startListening } from '../support/programs.ts'
import { type Block, blocksOf, patternOf, printed, requestOf, Values } from './page.ts'

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url))
/** For those who build on the sources: test/new-module does what it says. */
const ofContributors = 'add-a-module.md'
/** Its agent, its server and its second person are evidence, and the page of the trust score shows what there is before. */
const last = path.join('tutorial', 'mcp-firewall.md')
/** They begin where that one ends. */
const afterLast = ['approvals.md', 'flow-rules.md', 'pins.md'].map((name) => path.join('how-to', name))
const found = ['tutorial', 'how-to'].flatMap((folder) =>
  readdirSync(path.join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== ofContributors)
    .sort()
    .map((name) => path.join(folder, name)),
)
const pages = [...found.filter((name) => name !== last && !afterLast.includes(name)), last, ...afterLast]

const values = new Values()
let program: Program
let folder: string
let address: string
let vendor: Upstream
let other: Upstream
let everything: RunningProgram
let everythingPort: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parapet-docs-'))
  const database = await openTestDatabase(schemaOf(modules))
  const config = loadConfig({
    PARAPET_DATA_DIR: folder,
    PARAPET_LOG_LEVEL: 'error',
    PARAPET_ACCESS_LOG: 'false',
    PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
  })
  program = await startProgram({ config, driver: database.driver })
  address = await program.app.listen({ port: 0, host: '127.0.0.1' })
  const iam = program.assembled.modules.servicesOf('iam') as IamServices
  values.set('passphrase', 'meadow lantern 47 orchid')
  values.set('setup_token', (await iam.setup.ensure()).token ?? '')
  vendor = await openUpstream()
  other = await openUpstream()
  const last = ({ body }: { body: { messages: { content: string }[] } }): string => body.messages.at(-1)?.content ?? ''
  vendor.reply(sayBack((received) => `You wrote: ${last(received)}`))
  other.reply(sayBack(() => 'The second provider answers.'))
  everythingPort = await freePort()
  const script = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
  const command = ['env', `PORT=${everythingPort}`, process.execPath, script, 'streamableHttp'] as const
  everything = await startListening(everythingPort, ...command)
})

afterAll(async () => {
  await everything?.stop()
  await vendor?.close()
  await other?.close()
  await program?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Vendors' own addresses lead to local servers here. */
const local = (text: string): string =>
  values
    .fill(text)
    .replaceAll('https://api.openai.com/v1', vendor.url)
    .replaceAll('https://api.mistral.ai/v1', other.url)
    .replaceAll('http://127.0.0.1:8080', address)
    .replaceAll('http://127.0.0.1:3001', `http://127.0.0.1:${everythingPort}`)

describe.each(pages)('%s', (name) => {
  const blocks = blocksOf(readFileSync(path.join(docs, name), 'utf8'))

  test('does what it says', async () => {
    if (!values.has('colleague') && blocks.some(({ text }) => text.includes('{{colleague}}'))) await inviteColleague()
    expect(blocks.length).toBeGreaterThan(0)
    for (const [i, block] of blocks.entries()) await run(block, blocks[i + 1], `${name}:${block.line}`)
  })
})

/** Another person of the tenant, as if invited by mail: a password set by an administrator makes no one independent. */
async function inviteColleague(): Promise<void> {
  const { kernel } = program.assembled
  const asAdmin = { authorization: values.fill('Bearer {{token}}') }
  const call = async (target: string, body: object | null) => {
    const sent = { method: 'POST', body: JSON.stringify(body) }
    const headers = { ...asAdmin, ...(body !== null && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${address}/api/v1${target}`, { headers, ...(body !== null && sent) })
    expect(answer.status, target).toSatisfy(isSuccess)
    return JSON.parse(await answer.text()).data
  }
  const roles: { readonly id: string; readonly name: string }[] = await call('/iam/roles', null)
  const role = roles.find(({ name }) => name === 'security_admin')?.id
  const [email, password] = ['colleague@example.com', values.fill('{{passphrase}}')]
  const { invitation_url, tenant_id } = await call('/iam/users', { email, role_ids: [role], delivery: 'invite' })
  await call('/auth/invitations/accept', { token: invitation_url.split('#')[1], password })
  await ownCredentials({ kernel }, tenant_id)
  values.set('colleague', (await call('/auth/login', { email, password })).access_token)
}

/** A displayed answer belongs to the block before it and is checked there. */
const shown = new Set(['json', 'text'])

async function run(block: Block, next: Block | undefined, place: string): Promise<void> {
  if (block.language === 'http') await ask(block, next, place)
  else if (block.language === 'js') {
    const output = await printed(local(block.text), {})
    if (next?.language === 'text') expect(output.trim(), place).toMatch(patternOf(next.text.trim()))
  } else if (block.language === 'sh') await runCommand(block, next, place)
  else if (block.note.endsWith('.json')) await writeFile(path.join(folder, block.note), block.text)
  else expect([...shown], place).toContain(block.language)
}

/** Scripts run for real, in the folder with the files of the page; the program itself is running already. */
async function runCommand(block: Block, next: Block | undefined, place: string): Promise<void> {
  const command = block.text.trim()
  if (command === 'npm ci && npm start') return
  expect(command, place).toMatch(/^(?:[A-Z_]+=\S+ )?node scripts\/[\w-]+\.mjs /)
  const script = local(command).replace('node scripts/', `node ${path.join(docs, '..', 'scripts')}/`)
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script], { cwd: folder })
  if (next?.language === 'text') expect(`${stderr}${stdout}`.trim(), place).toMatch(patternOf(next.text.trim()))
}

async function ask(block: Block, next: Block | undefined, place: string): Promise<void> {
  const look = async () => {
    const { status, text } = await send(block)
    const wanted = next?.language === 'json' && next.note !== '' ? Number(next.note) : null
    expect({ status, text }, place).toEqual({ status: wanted ?? expect.toSatisfy(isSuccess), text })
    if (next?.language === 'json') values.match(JSON.parse(next.text), JSON.parse(text), place)
    if (next?.language === 'text') expect(text.trim(), place).toMatch(patternOf(next.text.trim()))
  }
  // Some answers come within seconds of the call before: the page says so, and a reader asks again.
  if (block.note === 'soon') await vi.waitFor(look, { timeout: 30_000, interval: 100 })
  else await look()
}

async function send(block: Block): Promise<{ readonly status: number; readonly text: string }> {
  const { method, path: target, headers, body } = requestOf(local(block.text))
  const isJson = body !== '' && headers['content-type'] === undefined
  const answer = await fetch(`${address}${target}`, {
    method,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== '' && { body: isJson ? JSON.stringify(JSON.parse(body)) : `${body}\n` }),
  })
  return { status: answer.status, text: await answer.text() }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
