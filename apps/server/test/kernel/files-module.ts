import Type from 'typebox'
import { storageLimitPort } from '../../src/kernel/blobs/storage-limits.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { table } from '../../src/kernel/db/table.ts'
import { apiErrors } from '../../src/kernel/errors/errors.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { defineModule, type Module } from '../../src/kernel/module/module.ts'
import { fill } from '../../src/kernel/module/ports/port.ts'
import { Answer, BlobAnswer, routesOf } from '../../src/kernel/module/route.ts'
import { nullable, strictObject, Uuid } from '../../src/kernel/schema/types.ts'

/** A module that keeps files, for the kernel's own suites. */
const StoredFile = strictObject({
  id: Uuid,
  title: Type.String({ maxLength: 100 }),
  bytes: Type.Integer(),
  sha256: Type.String({ maxLength: 64 }),
  media_type: Type.String({ maxLength: 100 }),
  name: nullable(Type.String({ maxLength: 255 })),
})

const row = Type.Object({ ...StoredFile.properties, tenant_id: Uuid, blob_id: Uuid })

const files = table({
  name: 'test_file',
  row,
  blobs: ['blob_id'],
  noun: 'file',
  data: { category: 'test', subject: [], retention: 'tenant', erasure: 'none' },
})

const route = routesOf<Kernel>()
const mediaTypes = ['application/octet-stream', 'application/json', 'text/plain']
interface Limits {
  readonly maxBytes: number
  /** For files that are bodies. */
  readonly timeLimitMs: number
  /** Bytes that a tenant may store; default null, which is unlimited. */
  readonly storage?: () => number | null
}

const fileRoutes = ({ maxBytes, timeLimitMs }: Limits) => [
  route.post('/files', {
    permission: 'compliance:write',
    summary: 'Keep a file',
    body: strictObject({ title: Type.String({ minLength: 1, maxLength: 100 }) }),
    upload: { as: 'multipart', mediaTypes, maxBytes },
    returns: [201, StoredFile],
    alternatives: [[200, StoredFile]],
    audit: 'file.create',
    errors: [apiErrors.conflict],
    handler: async ({ tx, body, upload, kernel }) => {
      if (body.title === 'refuse') throw apiErrors.conflict({ what: 'The title is refused.' })
      const known = await tx.first(
        sql<{ id: string }>`select id from test_file where sha256 = ${upload.sha256} limit 1`,
      )
      const { id: blobId, bytes, sha256, mediaType, name } = upload
      const facts = { title: body.title, bytes, sha256, media_type: mediaType, name }
      if (known !== null) return new Answer({ id: known.id, ...facts }, { status: 200 })
      const file = { id: kernel.random.uuid(), ...facts }
      await files.insert(tx, { ...file, tenant_id: tx.tenantId, blob_id: blobId })
      return file
    },
  }),
  route.post('/raw-files', {
    permission: 'compliance:write',
    summary: 'Keep the body',
    upload: { as: 'stream', mediaTypes, maxBytes },
    timeLimitMs,
    returns: [201, StoredFile],
    audit: 'file.create',
    handler: async ({ tx, upload, kernel }) => {
      const { id: blobId, bytes, sha256, mediaType, name } = upload
      const file = { id: kernel.random.uuid(), title: 'raw', bytes, sha256, media_type: mediaType, name }
      await files.insert(tx, { ...file, tenant_id: tx.tenantId, blob_id: blobId })
      return file
    },
  }),
  route.get('/files/{file_id}/content', {
    permission: 'compliance:read',
    summary: 'Download a file',
    returns: [200, Type.String({ contentMediaType: 'application/octet-stream' })],
    files: mediaTypes,
    ranges: true,
    handler: async ({ tx, params, kernel }) => {
      const file = await files.need(tx, params.file_id)
      const blob = await kernel.blobs.open(tx, file.blob_id)
      return new BlobAnswer({ contentType: file.media_type, name: file.name ?? 'file', blob })
    },
  }),
]

export const filesModule = (limits: Limits): Module =>
  defineModule<Kernel>({
    name: 'compliance',
    prefix: 'compliance',
    errors: {},
    tables: [files],
    migrations: [
      {
        id: 'compliance-0001-files',
        sql: `create table test_file (
        tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
        id uuid not null,
        title text not null,
        bytes bigint not null,
        sha256 text not null,
        media_type text not null,
        name text,
        blob_id uuid not null,
        primary key (tenant_id, id),
        foreign key (tenant_id, blob_id) references blob (tenant_id, id));
        create index test_file_blob on test_file (tenant_id, blob_id);`,
      },
    ],
    routes: fileRoutes(limits),
    emits: [],
    fills: [fill(storageLimitPort, () => async () => limits.storage?.() ?? null)],
    services: (kernel) => kernel,
  })
