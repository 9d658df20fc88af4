import type { Readable } from 'node:stream'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { type Budget, broken } from '../limits.ts'
import { type ArchiveEntry, UnpackError } from '../port.ts'

const symlink = 0o120000
const kindOfFile = 0o170000

/**
 * The files of a ZIP archive that are wanted (default: all). Every entry is judged, wanted or not.
 * @throws UnpackError
 */
export async function readZip(
  bytes: Uint8Array,
  budget: Budget,
  wanted: (name: string) => boolean = () => true,
): Promise<readonly ArchiveEntry[]> {
  const zip = await opened(bytes)
  const found: ArchiveEntry[] = []
  for await (const entry of entriesOf(zip)) {
    budget.entry()
    judge(entry)
    const isFolder = entry.fileName.endsWith('/')
    if (!isFolder && wanted(entry.fileName))
      found.push({ name: entry.fileName, content: await contentOf(zip, entry, budget) })
  }
  return found
}

function opened(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return new Promise((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true, strictFileNames: true }, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(asUnpackError(error))
    })
  })
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      const settle = (how: () => void) => {
        zip.removeAllListeners()
        how()
      }
      zip.once('entry', (found: Entry) => settle(() => resolve(found)))
      zip.once('end', () => settle(() => resolve(null)))
      zip.once('error', (error: Error) => settle(() => reject(asUnpackError(error))))
      zip.readEntry()
    })
    if (entry === null) return
    yield entry
  }
}

function judge(entry: Entry): void {
  if (entry.isEncrypted()) throw new UnpackError('encrypted', 'The archive is encrypted.')
  if (((entry.externalFileAttributes >>> 16) & kindOfFile) === symlink)
    throw new UnpackError('link', 'The archive holds a link, which is not followed.')
}

async function contentOf(zip: ZipFile, entry: Entry, budget: Budget): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  try {
    const stream = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, found) => (error === null ? resolve(found) : reject(error)))
    })
    for await (const part of stream as AsyncIterable<Uint8Array>) {
      budget.unpack(part.byteLength)
      parts.push(part)
    }
  } catch (error) {
    throw asUnpackError(error)
  }
  return Buffer.concat(parts)
}

/** The library tells apart by text what is wrong with a name. */
function asUnpackError(error: unknown): UnpackError {
  if (error instanceof UnpackError) return error
  const text = error instanceof Error ? error.message : ''
  if (/absolute path|invalid relative path|invalid characters in fileName/.test(text))
    return new UnpackError('path', 'The archive holds a name that leaves its folder.', error)
  return broken('The file is not a ZIP archive, or is damaged.', error)
}
