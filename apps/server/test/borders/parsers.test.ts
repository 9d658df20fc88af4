/** What strangers send is never unpacked: nothing that could do so is installed, and what unpacks is named here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NotesWorld, openNotesWorld } from '../kernel/notes-world.ts'
import { repository, sources } from './sources.ts'

interface Locked {
  readonly dev?: boolean
  readonly link?: boolean
}

const parser =
  /^(?:@[\w.-]+\/)?(?:[\w.-]*(?:ya?ml|unzip|zip|tar|gunzip|decompress|archiver?|7z|rar|lz4?|lzma|zstd|brotli|bzip2?|snappy)[\w.-]*|fflate|pako|yauzl|xlsx|exceljs|docx|pdf[\w.-]*)$/
/** Names alone look like it: word lists kept small. */
const harmless = new Set(['@zxcvbn-ts/dictionary-compression'])

test('C25 no package that runs with the server reads archives, packed data, YAML or office documents', () => {
  for (const name of [
    'yaml',
    'js-yaml',
    'jszip',
    'adm-zip',
    'tar-stream',
    'yauzl',
    '@zip.js/zip.js',
    'node-7z',
    'fflate',
  ])
    expect([name, parser.test(name)]).toEqual([name, true])
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(repository, 'package-lock.json'), 'utf8'),
  )
  const running = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path]) => path.split('node_modules/').at(-1) ?? '')
  expect(running.length).toBeGreaterThan(50)
  expect(running.filter((name) => parser.test(name) && !harmless.has(name))).toEqual([])
})

/** Each unpacks nothing but what this program has packed and sealed itself. */
const unpacking = ['apps/server/src/modules/iam/tenant-life/download.ts']

test('C25 the sources unpack only what they have packed', () => {
  const files = [...sources('apps/server/src'), ...sources('packages')]
  const unpack =
    /\b(?:createUnzip|(?:create)?(?:gunzip|inflate|inflateRaw|unzip|brotliDecompress|zstdDecompress)(?:Sync)?)\b/i
  const users = files.filter(({ imports, text }) => imports.includes('node:zlib') && unpack.test(text))
  expect(users.map(({ path }) => path).filter((path) => !path.startsWith('packages/detect/scripts/'))).toEqual(
    unpacking,
  )
  const others = files.filter(({ text }) => /new DecompressionStream|from ['"]zlib['"]/.test(text))
  expect(others.map(({ path }) => path)).toEqual([])
})

let world: NotesWorld
beforeAll(async () => {
  world = await openNotesWorld()
})
afterAll(() => world?.close())

test.each(['gzip', 'deflate', 'br', 'zstd'])(
  'C25 a body packed as %s is refused as it came, bomb or not',
  async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576, ' '))
    expect(bomb.length).toBeLessThan(100_000)
    const answer = await world.program.app.inject({
      method: 'POST',
      url: '/api/v1/resilience/public',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      payload: bomb,
    })
    expect(answer.statusCode).toBe(400)
  },
)
