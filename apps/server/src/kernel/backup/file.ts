/**
 * A backup as a file: a line that says what it is and holds its key, wrapped under the key-encryption key, and then
 * frames. Promises that a file that is there is whole, and that without the key-encryption key it says nothing but when
 * it was made and how large it is. Tested in backup.test.ts.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open as openFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '../blobs/adapters/disk-files.ts'
import type { Random } from '../crypto/random.ts'
import type { KeyWrap } from '../crypto/wrapping.ts'
import { type FrameKey, openFrames, prefixBytes, sealFrames } from './frames.ts'
import { BackupRefused } from './load.ts'

const magic = 'parapet-backup 1'
const wrapKind = 'backup'
const mostHeaderBytes = 1_024
const headerPattern = /^parapet-backup 1 ([0-9a-f-]{36}) ([A-Za-z0-9+/=]{40,400}) ([0-9a-f]{14})\n/

export interface FileParts {
  readonly folder: string
  readonly wrap: KeyWrap
  readonly random: Pick<Random, 'bytes'>
}

export interface WrittenFile {
  readonly bytes: number
  readonly sha256: string
}

export const pathOf = (folder: string, id: string): string => join(folder, `${id}.parapet-backup`)

/** Writes beside, then moves: what bears the name is whole. @throws what the lines throw */
export async function writeBackup(parts: FileParts, id: string, lines: AsyncIterable<string>): Promise<WrittenFile> {
  await makeFolder(parts.folder)
  const path = pathOf(parts.folder, id)
  const draft = `${path}.new`
  const hash = createHash('sha256')
  let bytes = 0
  const file = await openFile(draft, 'w', 0o600)
  try {
    const put = async (chunk: Uint8Array): Promise<void> => {
      hash.update(chunk)
      bytes += chunk.byteLength
      await file.write(chunk)
    }
    const frame = newFrameKey(parts, id)
    await put(frame.header)
    for await (const chunk of sealFrames(frame, bytesOf(lines))) await put(chunk)
    await file.sync()
  } catch (error) {
    await file.close()
    await rm(draft, { force: true })
    throw error
  }
  await file.close()
  await rename(draft, path)
  await syncFolder(parts.folder)
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
export async function* readBackup(wrap: KeyWrap, path: string): AsyncGenerator<string> {
  try {
    const header = await readHeader(path)
    const key = wrap.unwrap(wrapKind, header.id, header.wrapped)
    const chunks = createReadStream(path, { start: header.bytes.length, highWaterMark: 1_048_576 })
    yield* linesOf(openFrames({ key, prefix: header.prefix, header: header.bytes }, chunks))
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw new BackupRefused('file', error instanceof Error ? error.message : 'unreadable', error)
  }
}

async function readHeader(path: string) {
  const file = await openFile(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostHeaderBytes), 0, mostHeaderBytes, 0)
    const match = headerPattern.exec(buffer.subarray(0, bytesRead).toString('latin1'))
    if (match === null) throw new BackupRefused('file', 'it is no backup')
    const [text, id = '', wrapped = '', prefix = ''] = match
    return {
      id,
      bytes: Buffer.from(text, 'latin1'),
      wrapped: Buffer.from(wrapped, 'base64'),
      prefix: Buffer.from(prefix, 'hex'),
    }
  } finally {
    await file.close()
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

/** Bytes, or null where there is no such file. */
export async function sizeOf(folder: string, id: string): Promise<number | null> {
  try {
    return (await stat(pathOf(folder, id))).size
  } catch {
    return null
  }
}
