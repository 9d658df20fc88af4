/** Every block of the tutorial and of the how-to pages does what the page says, in the order of a reader. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { openUpstream, sayBack, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import type { IamServices } from '../../src/modules/iam/services/iam-services.ts'
import { modules } from '../../src/modules.ts'
import { type Program, startProgram } from '../../src/program.ts'
import { openTestDatabase } from '../support/database.ts'
import { type Block, blocksOf, patternOf, printed, requestOf, Values } from './page.ts'

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url))
/** For those who build on the sources: test/new-module does what it says. */
const ofContributors = 'add-a-module.md'
const pages = ['tutorial', 'how-to'].flatMap((folder) =>
  readdirSync(path.join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== ofContributors)
    .sort()
    .map((name) => path.join(folder, name)),
)

const values = new Values()
let program: Program
let folder: string
let address: string
let vendor: Upstream
let other: Upstream

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
})

afterAll(async () => {
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

describe.each(pages)('%s', (name) => {
  const blocks = blocksOf(readFileSync(path.join(docs, name), 'utf8'))

  test('does what it says', async () => {
    expect(blocks.length).toBeGreaterThan(0)
    for (const [i, block] of blocks.entries()) await run(block, blocks[i + 1], `${name}:${block.line}`)
  })
})

/** What is shown of an answer belongs to the block before it and is looked at there. */
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
  const { method, path: target, headers, body } = requestOf(local(block.text))
  const json = body === '' ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${address}${target}`, {
    method,
    headers: { ...json, ...headers },
    ...(body !== '' && { body: JSON.stringify(JSON.parse(body)) }),
  })
  const text = await answer.text()
  const wanted = next?.language === 'json' && next.note !== '' ? Number(next.note) : null
  expect({ status: answer.status, text }, place).toEqual({ status: wanted ?? expect.toSatisfy(isSuccess), text })
  if (next?.language === 'json') values.match(JSON.parse(next.text), JSON.parse(text), place)
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
