/** The files of one resource, as text by path below the module's folder. */
import { resourceTest } from './resource-test.mjs'

export function resourceFiles(module, one) {
  return {
    [`migrations/${one.migration}.ts`]: migration(module, one),
    [`${one.folder}/schema.ts`]: schema(one),
    [`${one.folder}/table.ts`]: table(one),
    [`${one.folder}/events.ts`]: events(module, one),
    [`${one.folder}/${one.folder}.ts`]: rules(module, one),
    [`${one.folder}/${one.folder}.routes.ts`]: routes(module, one),
    [`${one.folder}/${one.folder}.test.ts`]: resourceTest(module, one),
  }
}

const migration = (module, one) => `import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const ${one.many}Migration: Migration = {
  id: '${module.name}-${one.migration}',
  sql: \`
    create table ${one.table} (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      name text not null,
      description text,
      status text not null check (status in ('active', 'retired')),
      expires_at timestamptz(3),
      primary key (tenant_id, id)
    );
    create unique index ${one.table}_name on ${one.table} (tenant_id, lower(name));
    create index ${one.table}_created_at on ${one.table} (tenant_id, created_at, id);
    create index ${one.table}_expires_at on ${one.table} (tenant_id, expires_at) where status = 'active';
  \`,
}
`

const schema = (one) => `import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Description = Type.String({ maxLength: 2000 })
const Status = oneOf('active', 'retired')

export const ${one.type} = resource({
  name: Name,
  description: nullable(Description),
  status: Status,
  expires_at: nullable(Timestamp),
})
export type ${one.type} = Static<typeof ${one.type}>

export const Listed${one.type} = listed(${one.type})

export const ${one.type}Row = strictObject({ ...${one.type}.properties, version: Type.Integer({ minimum: 1 }) })
export type ${one.type}Row = Static<typeof ${one.type}Row>

export const Create${one.type} = strictObject({
  name: Name,
  description: Type.Optional(Description),
  expires_at: Type.Optional(Timestamp),
})
export type Create${one.type} = Static<typeof Create${one.type}>

export const Patch${one.type} = strictObject({
  name: Type.Optional(Name),
  description: Type.Optional(nullable(Description)),
  status: Type.Optional(Status),
  expires_at: Type.Optional(nullable(Timestamp)),
})
export type Patch${one.type} = Static<typeof Patch${one.type}>

export const ${one.type}Filter = strictObject({
  status: Type.Optional(Status),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Prefix of the name' })),
})
export type ${one.type}Filter = Static<typeof ${one.type}Filter>
`

const table = (one) => `import { table } from '../../../kernel/db/table.ts'
import { ${one.type}Row } from './schema.ts'

export const ${one.many} = table({
  name: '${one.table}',
  noun: '${one.words}',
  row: ${one.type}Row,
  sorts: ['created_at'],
  dueBy: ['status', 'expires_at'],
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})
`

const events = (module, one) => `import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'

export const ${one.one}Retired = defineEvent({
  channel: '${module.segment}.${one.name}.retired',
  type: '${one.type}Retired',
  summary: '${capital(one.withArticle)} was retired by a person or by its expiry.',
  schema: strictObject({ ${one.name}_id: Uuid, cause: oneOf('request', 'expiry') }),
})
`

const rules = (module, one) => `/**
 * ${capital(one.manyWords)}: how they are made, found, changed, retired and removed. A name is one tenant's own, in whatever case it
 * is written. Tested in ${one.folder}.test.ts.
 */
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { resource } from '../../../kernel/resource/declare.ts'
import { change, create, hold, holdAll, newRow, type Removed, remove } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { ${one.one}Retired } from './events.ts'
import type { Create${one.type}, Patch${one.type}, ${one.type}, ${one.type}Filter, ${one.type}Row } from './schema.ts'
import { ${one.many} } from './table.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

/** At most so many are retired in one transaction; the rest is due again a minute later. */
const batch = 500

const ${one.one}Resource = resource({
  table: ${one.many},
  kind: '${one.name}',
  unique: { ${one.table}_name: ({ name }) => errors.nameTaken({ what: '${one.words}', name }) },
})

/** @throws ${module.errorPrefix}-001 */
export async function create${one.type}(kernel: Parts, tx: Tx, input: Create${one.type}): Promise<Versioned<${one.type}>> {
  const row: ${one.type}Row = {
    ...newRow(kernel, tx),
    name: input.name,
    description: input.description ?? null,
    status: 'active',
    expires_at: input.expires_at ?? null,
  }
  await create(tx, ${one.one}Resource, row, { action: '${module.segment}.${one.name}.create' })
  return viewOf(row)
}

/** @throws API-013 */
export async function see${one.type}(tx: Tx, id: string): Promise<Versioned<${one.type}>> {
  return viewOf(await ${one.many}.need(tx, id))
}

export async function list${one.types}(
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: ${one.type}Filter },
): Promise<Page<Versioned<${one.type}>>> {
  const { status = null, q } = filter
  const named = q === undefined ? sql\`true\` : sql\`lower(name) like \${likePrefix(q)}\`
  const where = sql\`(\${status}::text is null or status = \${status}::text) and \${named}\`
  const found = await ${one.many}.page(tx, page, where)
  return { ...found, items: found.items.map(viewOf) }
}

export interface ${one.type}Asked {
  readonly id: string
  readonly precondition: Precondition
}

/** @throws API-013, API-012, ${module.errorPrefix}-001, ${module.errorPrefix}-002 */
export async function change${one.type}(
  kernel: Parts,
  tx: Tx,
  { input, ...asked }: ${one.type}Asked & { readonly input: Patch${one.type} },
): Promise<Versioned<${one.type}>> {
  const held = await hold(tx, ${one.one}Resource, asked)
  if (held.row.status === 'retired') throw errors.retired({ what: '${one.words}' })
  const row = await change(kernel, tx, held, { action: '${module.segment}.${one.name}.update', changes: input })
  if (row.status === 'retired') await tell(tx, row, 'request')
  return viewOf(row)
}

/** @throws API-013, API-012 */
export async function remove${one.type}(tx: Tx, asked: ${one.type}Asked): Promise<Removed> {
  return remove(tx, await hold(tx, ${one.one}Resource, asked), { action: '${module.segment}.${one.name}.delete' })
}

/** Which tenants have one that expired and is not retired. */
export function some${one.types}Expired({ now }: DueAt): SqlPart {
  return sql\`
    exists (
      select from ${one.table} held
      where held.tenant_id = tenant.id and held.status = 'active' and held.expires_at <= \${now})\`
}

export async function retireExpired${one.types}(kernel: Parts, tx: Tx): Promise<void> {
  const where = sql\`status = 'active' and expires_at <= \${kernel.clock.iso()}\`
  for (const held of await holdAll(tx, ${one.one}Resource, { where, limit: batch })) {
    const changes = { status: 'retired' as const }
    await tell(tx, await change(kernel, tx, held, { action: '${module.segment}.${one.name}.expire', changes }), 'expiry')
  }
}

function tell(tx: Tx, { id }: ${one.type}Row, cause: 'request' | 'expiry'): Promise<void> {
  return tx.emit(${one.one}Retired, id, { ${one.name}_id: id, cause })
}

function viewOf({ version, ...shown }: ${one.type}Row): Versioned<${one.type}> {
  return new Versioned(shown, version)
}
`

const routes = (module, one) => `import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { Deleted } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import { change${one.type}, create${one.type}, list${one.types}, remove${one.type}, see${one.type} } from './${one.folder}.ts'
import { Create${one.type}, Listed${one.type}, Patch${one.type}, ${one.type}, ${one.type}Filter } from './schema.ts'
import { ${one.many} } from './table.ts'

const route = routesOf<Kernel>()

export const ${one.one}Routes = [
  route.get('/${one.folder}', {
    permission: '${module.name}:read',
    summary: 'List ${one.manyWords}',
    query: ${one.type}Filter,
    returns: [200, Listed${one.type}],
    list: { table: ${one.many}, default: '-created_at' },
    handler: ({ tx, page, query }) => list${one.types}(tx, { page, filter: query }),
  }),
  route.post('/${one.folder}', {
    permission: '${module.name}:write',
    summary: 'Create ${one.withArticle}',
    body: Create${one.type},
    returns: [201, ${one.type}],
    audit: '${module.segment}.${one.name}.create',
    errors: [errors.nameTaken],
    handler: ({ tx, kernel, body }) => create${one.type}(kernel, tx, body),
  }),
  route.get('/${one.folder}/{${one.name}_id}', {
    permission: '${module.name}:read',
    summary: 'See ${one.withArticle}',
    returns: [200, ${one.type}],
    errors: [apiErrors.notFound],
    handler: ({ tx, params }) => see${one.type}(tx, params.${one.name}_id),
  }),
  route.patch('/${one.folder}/{${one.name}_id}', {
    permission: '${module.name}:write',
    summary: 'Change or retire ${one.withArticle}',
    body: Patch${one.type},
    returns: [200, ${one.type}],
    audit: '${module.segment}.${one.name}.update',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.nameTaken, errors.retired],
    handler: ({ tx, kernel, params, body, precondition }) =>
      change${one.type}(kernel, tx, { id: params.${one.name}_id, input: body, precondition }),
  }),
  route.delete('/${one.folder}/{${one.name}_id}', {
    permission: '${module.name}:write',
    summary: 'Delete ${one.withArticle}',
    returns: [200, Deleted],
    audit: '${module.segment}.${one.name}.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed],
    handler: ({ tx, params, precondition }) => remove${one.type}(tx, { id: params.${one.name}_id, precondition }),
  }),
]
`

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)
