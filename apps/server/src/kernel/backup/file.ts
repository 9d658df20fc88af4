/**
 * A backup as a file: a line that says what it is and holds its key, wrapped under the key-encryption key, and then
 * frames. Promises that a file that is there is whole, and that without the key-encryption key it says nothing but when
 * it was made and how large it is. Tested in the admin
 * module's backups.test.ts.
 */
import { createHash } from 'node:crypto'
import type { Random } from '../crypto/random.ts'
import type { KeyWrap } from '../crypto/wrapping.ts'
import { EgressError } from '../egress/errors.ts'
import { type FrameKey, openFrames, prefixBytes, sealFrames } from './frames.ts'
import { BackupRefused } from './refused.ts'
import type { BackupStore } from './store.ts'

const magic = 'parapet-backup 1'
const wrapKind = 'backup'
const mostHeaderBytes = 1_024
const headerPattern = /^parapet-backup 1 ([0-9a-f-]{36}) ([A-Za-z0-9+/=]{40,400}) ([0-9a-f]{14})\n/

export interface FileParts {
  readonly store: Pick<BackupStore, 'write'>
  readonly wrap: KeyWrap
  readonly random: Pick<Random, 'bytes'>
}

export interface WrittenFile {
  readonly bytes: number
  readonly sha256: string
}

/** @throws what the lines throw */
export async function writeBackup(parts: FileParts, id: string, lines: AsyncIterable<string>): Promise<WrittenFile> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    const frame = newFrameKey(parts, id)
    yield* measured(frame.header)
    for await (const chunk of sealFrames(frame, bytesOf(lines))) yield* measured(chunk)
  }
  function* measured(chunk: Uint8Array): Generator<Uint8Array> {
    hash.update(chunk)
    bytes += chunk.byteLength
    yield chunk
  }
  await parts.store.write(id, counted())
  return { bytes, sha256: hash.digest('hex') }
}

function newFrameKey({ wrap, random }: FileParts, id: string): FrameKey {
  const [key, prefix] = [random.bytes(32), random.bytes(prefixBytes)]
  const wrapped = Buffer.from(wrap.wrap(wrapKind, id, key)).toString('base64')
  return { key, prefix, header: Buffer.from(`${magic} ${id} ${wrapped} ${Buffer.from(prefix).toString('hex')}\n`) }
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of lines) yield Buffer.from(text)
}

/** The lines of a backup. @throws BackupRefused for a file that is not whole, not ours or not readable with this key */
export async function* readBackup(wrap: KeyWrap, file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  try {
    const chunks = file[Symbol.asyncIterator]()
    const { header, rest } = await readHeader(chunks)
    const key = wrap.unwrap(wrapKind, header.id, header.wrapped)
    yield* linesOf(openFrames({ key, prefix: header.prefix, header: header.bytes }, joined(rest, chunks)))
  } catch (error) {
    // A place that cannot be reached says nothing about the file.
    if (error instanceof BackupRefused || error instanceof EgressError) throw error
    throw new BackupRefused('file', error instanceof Error ? error.message : 'unreadable', error)
  }
}

async function readHeader(chunks: AsyncIterator<Uint8Array>) {
  let held: Buffer = Buffer.alloc(0)
  while (held.length < mostHeaderBytes) {
    const { value, done } = await chunks.next()
    if (done === true) break
    held = Buffer.concat([held, value])
  }
  const match = headerPattern.exec(held.subarray(0, mostHeaderBytes).toString('latin1'))
  if (match === null) throw new BackupRefused('file', 'it is no backup')
  const [text, id = '', wrapped = '', prefix = ''] = match
  const bytes = Buffer.from(text, 'latin1')
  const header = { id, bytes, wrapped: Buffer.from(wrapped, 'base64'), prefix: Buffer.from(prefix, 'hex') }
  return { header, rest: held.subarray(bytes.length) }
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let held = ''
  for await (const chunk of chunks) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split('\n')
    held = lines.pop() ?? ''
    yield* lines
  }
  if (held !== '') throw new BackupRefused('content', 'its last line is not whole')
}
