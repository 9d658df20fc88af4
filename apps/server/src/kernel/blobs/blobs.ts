/**
 * Blobs: content sealed under a key of its own, hashed on its way, counted, and kept while a row names it. Promises that
 * a `put` that resolved is stored whole, that nothing is ever read but what was written, and that an interrupted `put`
 * leaves nothing that the sweep does not find. Never holds a file in memory. Tested in blobs.test.ts.
 */
import { createHash, type Hash } from 'node:crypto'
import type { TenantId } from '../access/actor.ts'
import type { ByteRange } from '../base/byte-range.ts'
import type { Random } from '../crypto/random.ts'
import { DatabaseError } from '../db/errors.ts'
import { sql } from '../db/sql.ts'
import type { TenantKeys } from '../keys/port.ts'
import { createLedger, type Ledger, type LedgerParts } from './ledger.ts'
import { BlobError, type BlobStore, type Blobs, type OpenedBlob, type PutOptions, type StoredBlob } from './port.ts'
import { type NamingTables, namedBy } from './references.ts'
import { openFile, SealBroken, sealedBytes, sealedRange, sealFile } from './sealed-file.ts'

export interface BlobParts extends LedgerParts {
  readonly store: BlobStore
  readonly keys: Pick<TenantKeys, 'encrypt' | 'decrypt'>
  readonly random: Pick<Random, 'bytes' | 'uuid'>
  /** Every table, of which some name blobs. */
  readonly tables: NamingTables
}

const defaultMostBytes = 64 * 1_073_741_824
/** SQLSTATE of a row that another one names. */
const stillNamed = '23503'

const keyAddress = (id: string) => ({ table: 'blob', column: 'wrapped_key', rowId: id })

export function createBlobs(parts: BlobParts): Blobs {
  const ledger = createLedger(parts)
  const isNamed = namedBy(parts.tables)
  const discard: Blobs['discard'] = async (tenantId, id) => {
    try {
      await ledger.forget({ tenantId, id })
    } catch (error) {
      if (error instanceof DatabaseError && error.code === stillNamed) return
      throw error
    }
    await parts.store.delete({ tenantId, id })
    await ledger.end({ tenantId, id })
  }
  return {
    put: async (tenantId, content, options = {}) => {
      const id = parts.random.uuid()
      await ledger.begin({ tenantId, id })
      try {
        return await store(parts, ledger, { tenantId, id, content, options })
      } catch (error) {
        // The sweep finds what cannot be taken away now.
        await discard(tenantId, id).catch(() => undefined)
        throw error
      }
    },
    open: async (tx, id) => {
      const row = await tx.first(sql<FoundRow>`select bytes, sha256, wrapped_key from blob where id = ${id}`)
      if (row === null) throw new BlobError('missing', 'There is no such blob.')
      return opened(parts, { ...row, id, tenantId: tx.tenantId })
    },
    release: async (tx, id) => {
      await tx.execute(sql`delete from blob where id = ${id} and not ${isNamed}`)
    },
    discard,
    usage: ledger.usage,
  }
}

interface Putting {
  readonly tenantId: TenantId
  readonly id: string
  readonly content: AsyncIterable<Uint8Array>
  readonly options: PutOptions
}

async function store(parts: BlobParts, ledger: Ledger, putting: Putting): Promise<StoredBlob> {
  const { tenantId, id } = putting
  const key = parts.random.bytes(32)
  const told: Told = { bytes: 0, hash: createHash('sha256') }
  const sealed = sealFile({ key, place: [tenantId, id] }, parts.random, measured(ledger, putting, told))
  await parts.store.put({ tenantId, id }, sealed)
  const blob = { id, bytes: told.bytes, sha256: told.hash.digest('hex') }
  const wrappedKey = await parts.keys.encrypt(tenantId, keyAddress(id), key)
  await ledger.finish({ tenantId, id }, { ...blob, wrappedKey, sealedBytes: sealedBytes(blob.bytes) })
  return blob
}

interface Told {
  bytes: number
  readonly hash: Hash
}

/** @throws BlobError `too_large`, `quota` */
async function* measured(ledger: Ledger, putting: Putting, told: Told): AsyncIterable<Uint8Array> {
  const { content, options, ...entry } = putting
  const { maxBytes = defaultMostBytes } = options
  let room = 0
  for await (const chunk of content) {
    told.bytes += chunk.byteLength
    if (told.bytes > maxBytes) throw new BlobError('too_large', `A file here has at most ${maxBytes} bytes.`)
    if (sealedBytes(told.bytes) > room) room = await ledger.reserve(entry, sealedBytes(told.bytes))
    told.hash.update(chunk)
    yield chunk
  }
}

interface FoundRow {
  readonly bytes: number
  readonly sha256: string
  readonly wrapped_key: Uint8Array
}

interface Found extends FoundRow {
  readonly tenantId: TenantId
  readonly id: string
}

function opened(parts: BlobParts, { tenantId, id, bytes, sha256, wrapped_key: wrapped }: Found): OpenedBlob {
  const read = async function* (range?: ByteRange): AsyncGenerator<Uint8Array> {
    const part = range === undefined ? undefined : within(range, bytes)
    const key = await parts.keys.decrypt(tenantId, keyAddress(id), wrapped)
    const stored = part === undefined ? undefined : sealedRange(part, bytes)
    const frames = parts.store.read({ tenantId, id }, stored)
    try {
      yield* openFile({ key, place: [tenantId, id], bytes }, frames, part)
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      throw new BlobError('corrupt', 'The blob is not what was written.', error)
    }
  }
  return { id, bytes, sha256, read }
}

/** @throws BlobError `range` */
function within({ start, end }: ByteRange, bytes: number): ByteRange {
  const isSane = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
  if (!isSane || start >= bytes) throw new BlobError('range', `Bytes ${start} to ${end} are not in a blob of ${bytes}.`)
  return { start, end: Math.min(end, bytes - 1) }
}
