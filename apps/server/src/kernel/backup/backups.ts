/**
 * Backups of the installation or of one tenant: made, proven and removed. Promises one consistent snapshot in a file that
 * only the key-encryption key opens. On the embedded database, which has one connection, everybody waits while one is
 * made. The admin module decides about permissions and keeps the list of backups. Tested in the admin
 * module's backups.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import { createKeyWrap } from '../crypto/wrapping.ts'
import type { Driver } from '../db/port.ts'
import type { Schema } from '../db/schema/prepare.ts'
import type { SigningKeys } from '../keys/port.ts'
import type { S3Parts, S3Place } from '../s3/client.ts'
import { type Checked, checkBackup, withProven } from './check.ts'
import { type ErasureNote, readNotes, writeNote } from './erasure-notes.ts'
import { readBackup, type WrittenFile, writeBackup } from './file.ts'
import { type Replacement, type Replacing, type RestoredState, replaceAll, stateOf } from './replace.ts'
import { createS3Store } from './s3.ts'
import { signManifest } from './signature.ts'
import { type AuditHead, line, type Manifest, readSnapshot } from './snapshot.ts'
import { type BackupStore, createFolderStore } from './store.ts'

export interface NewBackup {
  readonly id: string
  /** The tenant; null for the whole installation. */
  readonly tenantId: TenantId | null
  readonly signal: AbortSignal
  readonly done: (fraction: number) => void
}

export interface MadeBackup extends WrittenFile {
  readonly tables: number
  readonly rows: number
  readonly auditHeads: readonly AuditHead[]
  /** The newest migration. */
  readonly schemaVersion: string
}

export interface Backups {
  /** Those in the folder of this installation, or in a bucket. */
  at(place: S3Place | null): BackupPlace
  /** Records erasures beside the backups, so that no restore brings erased people back. */
  noteErasure(erased: ErasureNote): Promise<void>
  erasures(): Promise<readonly ErasureNote[]>
}

export interface BackupPlace extends Pick<BackupStore, 'check' | 'size' | 'remove'> {
  create(backup: NewBackup): Promise<MadeBackup>
  /** Restores it into a database of its own. @throws BackupRefused that names the check */
  verify(id: string): Promise<Checked>
  /** Puts it in the place of everything. @throws BackupRefused that names the check; nothing has changed then */
  replace<T extends object>(replacement: Replacement<T>): Promise<void>
  /** Proves it and lends the state it holds. @throws BackupRefused */
  withState<T>(id: string, work: (state: RestoredState) => Promise<T>): Promise<T>
}

export interface BackupParts {
  readonly driver: Driver
  readonly schema: Schema
  readonly folder: string
  /** Folder of the databases in which large backups are proven. */
  readonly scratch: string
  /** Bytes of a file up to which it is proven in memory. */
  readonly mostInMemory?: number | undefined
  readonly kek: Uint8Array
  readonly nextKek: Uint8Array | null
  readonly clock: Pick<Clock, 'iso' | 'after' | 'now'>
  readonly random: Pick<Random, 'bytes' | 'uuid'>
  readonly keys: Pick<SigningKeys, 'sign' | 'verify'>
}

export interface BackupUse extends BackupParts, Replacing {
  readonly egress: S3Parts['egress']
  /** Called after a backup has taken the place of everything. */
  readonly replaced: () => void
}

export function createBackups(parts: BackupUse): Backups {
  const { folder } = parts
  const here = createFolderStore(folder)
  return {
    at: (place) => placeOf(parts, place === null ? here : createS3Store(parts, place)),
    noteErasure: (note) => writeNote(folder, note),
    erasures: () => readNotes(folder),
  }
}

function placeOf(parts: BackupUse, store: BackupStore): BackupPlace {
  const { schema, clock, keys, random } = parts
  const wrap = createKeyWrap(parts.kek, random, parts.nextKek)
  const scratch = { folder: parts.scratch, random, mostInMemory: parts.mostInMemory }
  const checkOf = async (id: string) => ({
    ...{ schema, clock, keys, scratch },
    lines: readBackup(wrap, store.read(id)),
    bytes: await store.size(id),
  })
  return {
    check: store.check,
    size: store.size,
    remove: store.remove,
    create: async (backup) => {
      const told: { manifest: Manifest | null } = { manifest: null }
      const written = await writeBackup({ store, wrap, random }, backup.id, content(parts, backup, told))
      return { ...written, ...factsOf(told.manifest), schemaVersion: schema.migrations.at(-1)?.id ?? '' }
    },
    verify: async (id) => checkBackup(await checkOf(id)),
    replace: async (replacement) => {
      await replaceAll(parts, await checkOf(replacement.id), replacement)
      parts.replaced()
    },
    withState: async (id, work) => withProven(await checkOf(id), async (proven) => work(await stateOf(parts, proven))),
  }
}

function factsOf(manifest: Manifest | null) {
  const { parts: tables = [], audit_heads: auditHeads = [] } = manifest ?? {}
  return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), auditHeads }
}

async function* content(
  { driver, schema, clock, keys }: BackupParts,
  { id, tenantId, signal, done }: NewBackup,
  told: { manifest: Manifest | null },
): AsyncGenerator<string> {
  const migrations = schema.migrations.map((migration) => migration.id)
  const kind = tenantId === null ? 'full' : 'tenant'
  const preface = { backup: id, format: 1, kind, created_at: clock.iso(), migrations } as const
  told.manifest = yield* readSnapshot({ driver, schema, preface, tenantId, signal, done })
  yield line(await signManifest(keys, told.manifest))
}
