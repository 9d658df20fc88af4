/**
 * Backups of the installation or of one tenant: made, proven and removed. Promises one consistent snapshot in a file that
 * only the key-encryption key opens. On the embedded database, which has one connection, everybody waits while one is
 * made. Who may ask for one, and which there are, is the admin module's business. Tested in backup.test.ts.
 */
import { access, constants } from 'node:fs/promises'
import type { TenantId } from '../auth/actor.ts'
import { makeFolder, removeFile } from '../blobs/adapters/disk-files.ts'
import type { SigningKeys } from '../crypto/port.ts'
import type { Random } from '../crypto/random.ts'
import { createKeyWrap } from '../crypto/wrapping.ts'
import type { Driver } from '../db/port.ts'
import type { Schema } from '../db/prepare.ts'
import type { Clock } from '../kernel.ts'
import { type Checked, checkBackup } from './check.ts'
import { pathOf, readBackup, sizeOf, type WrittenFile, writeBackup } from './file.ts'
import { signManifest } from './signature.ts'
import { type AuditHead, line, type Manifest, readSnapshot } from './snapshot.ts'

export interface NewBackup {
  readonly id: string
  /** Whose data; null for the whole installation. */
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
  /** @throws Error when the folder cannot be written to */
  checkTarget(): Promise<void>
  create(backup: NewBackup): Promise<MadeBackup>
  /** Restores it into a database of its own. @throws BackupRefused that names the check */
  verify(id: string): Promise<Checked>
  /** Bytes, or null where there is no such file. */
  size(id: string): Promise<number | null>
  remove(id: string): Promise<void>
}

export interface BackupParts {
  readonly driver: Driver
  readonly schema: Schema
  readonly folder: string
  readonly kek: Uint8Array
  readonly nextKek: Uint8Array | null
  readonly clock: Pick<Clock, 'iso' | 'after' | 'now'>
  readonly random: Pick<Random, 'bytes'>
  readonly keys: Pick<SigningKeys, 'sign' | 'verify'>
}

export function createBackups(parts: BackupParts): Backups {
  const { folder, schema, clock, keys } = parts
  const wrap = createKeyWrap(parts.kek, parts.random, parts.nextKek)
  return {
    checkTarget: async () => {
      await makeFolder(folder)
      await access(folder, constants.W_OK)
    },
    create: async (backup) => {
      const told: { manifest: Manifest | null } = { manifest: null }
      const written = await writeBackup({ folder, wrap, random: parts.random }, backup.id, content(parts, backup, told))
      const { parts: tables = [], audit_heads: auditHeads = [] } = told.manifest ?? {}
      return {
        ...written,
        tables: tables.length,
        rows: tables.reduce((sum, { rows }) => sum + rows, 0),
        auditHeads,
        schemaVersion: schema.migrations.at(-1)?.id ?? '',
      }
    },
    verify: (id) => checkBackup({ lines: readBackup(wrap, pathOf(folder, id)), schema, clock, keys }),
    size: (id) => sizeOf(folder, id),
    remove: async (id) => {
      await removeFile(pathOf(folder, id))
    },
  }
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
