/** Untrusted files are opened in one room: this names the packages that can open them, and their users. */
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
  /^(?:@[\w.-]+\/)?(?:[\w.-]*(?:ya?ml|unzip|zip|tar|gunzip|decompress|archiver?|7z|rar|lz4?|lzma|zstd|brotli|bzip2?|snappy)[\w.-]*|fflate|pako|yauzl|xlsx|exceljs|docx|(?:un)?pdf[\w.-]*|parse5|saxes|postal-mime)$/
/** Names alone look like it: word lists kept small. */
const harmless = new Set(['@zxcvbn-ts/dictionary-compression'])
/** Of the unpacking room, which alone imports them. */
const ofTheRoom = ['parse5', 'postal-mime', 'saxes', 'unpdf', 'yaml', 'yauzl']
/** Of the writer of documents as PDF, which opens nothing but the fonts that come with it. */
const ofTheWriter = ['brotli', 'fflate', 'pako', 'pdfkit']
const writer = 'apps/server/src/kernel/documents/pdf/'

test('C25 no package that runs with the server reads archives, packed data, YAML or office documents, but those of the room', () => {
  for (const name of [
    ...['yaml', 'js-yaml', 'jszip', 'adm-zip', 'tar-stream', 'yauzl', '@zip.js/zip.js', 'node-7z', 'fflate'],
    ...ofTheRoom,
  ])
    expect([name, parser.test(name)]).toEqual([name, true])
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(repository, 'package-lock.json'), 'utf8'),
  )
  const running = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path]) => path.split('node_modules/').at(-1) ?? '')
  expect(running.length).toBeGreaterThan(50)
  expect(running.filter((name) => parser.test(name) && !harmless.has(name)).sort()).toEqual(
    [...ofTheRoom, ...ofTheWriter].sort(),
  )
})

test('C25 the writer of PDF alone imports what it is made with', () => {
  const users = [...sources('apps/server/src'), ...sources('packages')].filter(({ imports }) =>
    imports.some((name) => ofTheWriter.includes(name)),
  )
  expect(users.length).toBeGreaterThan(0)
  expect(users.filter(({ path }) => !path.startsWith(writer))).toEqual([])
})

test('C25 the room alone imports what opens files', () => {
  const users = [...sources('apps/server/src'), ...sources('packages')].filter(
    ({ path, imports }) => imports.some((name) => ofTheRoom.includes(name)) && !path.includes('.test.'),
  )
  expect(users.length).toBeGreaterThan(4)
  expect(
    users.map(({ path }) => path).filter((path) => !path.startsWith('apps/server/src/kernel/unpack/formats/')),
  ).toEqual([])
})

/**
 * The room, bodies of uploads with a bound of their own, and what this program has packed and sealed itself. Zstandard is
 * unpacked by code of ours, `kernel/http/body/zstd`, for such bodies alone.
 */
const unpacking = [
  'apps/server/src/kernel/http/body/content-encoding.ts',
  'apps/server/src/kernel/unpack/formats/gzip.ts',
  'apps/server/src/modules/iam/tenant-life/download.ts',
]

test('C25 the sources unpack in these places and no others', () => {
  const files = [...sources('apps/server/src'), ...sources('packages')]
  const unpack =
    /\b(?:createUnzip|(?:create)?(?:gunzip|inflate|inflateRaw|unzip|brotliDecompress|zstdDecompress)(?:Sync)?)\b/i
  const users = files.filter(({ imports, text }) => imports.includes('node:zlib') && unpack.test(text))
  expect(users.map(({ path }) => path).filter((path) => !path.startsWith('packages/detect/scripts/'))).toEqual(
    unpacking,
  )
  const others = files.filter(({ text }) => /new DecompressionStream|from ['"]zlib['"]/.test(text))
  expect(others.map(({ path }) => path)).toEqual([])
  const zstd = files.filter(({ imports }) => imports.includes('apps/server/src/kernel/http/body/zstd/zstd.ts'))
  expect(zstd.map(({ path }) => path)).toEqual(['apps/server/src/kernel/http/body/content-encoding.ts'])
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
