/** SCIM 2.0 at the address directories expect (RFC 7644): provisioning of people and groups with a key of the kind `scim`. */
import Type from 'typebox'
import { apiErrors } from '../../kernel/http/errors.ts'
import { Answer, routesOf } from '../../kernel/route.ts'
import { errors } from './errors.ts'
import { groupSchema, type ResourceSchema, userSchema } from './scim/attributes.ts'
import { type Directory, directoryOf } from './scim/caller.ts'
import { resourceTypes, schemaDocuments, serviceProviderConfig } from './scim/discovery.ts'
import { type Projection, readDocument } from './scim/document.ts'
import { parseFilter } from './scim/filter.ts'
import {
  changeGroup,
  countGroups,
  createGroup,
  findGroups,
  type GroupRow,
  needGroup,
  removeGroup,
} from './scim/groups.ts'
import type { Document } from './scim/match.ts'
import { applyPatch } from './scim/patch.ts'
import { countPeople, findPeople, groupsOf, needPerson, type PersonRow } from './scim/people.ts'
import { scimForm } from './scim/problems.ts'
import {
  type ListQuery,
  ListQuery as ListQuerySchema,
  listOf,
  ProjectionQuery,
  pageWish,
  resourceOf,
  ScimBody,
  ScimList,
  ScimResource,
} from './scim/resource.ts'
import { changePerson, createPerson, removePerson } from './scim/users.ts'
import type { IamServices } from './services.ts'

const route = routesOf<IamServices>()

const common = { permission: 'authenticated', raw: scimForm, errors: [errors.exceedsRights] } as const
const reading = { ...common, query: ProjectionQuery } as const
const writing = {
  ...common,
  query: ProjectionQuery,
  open: true,
  body: ScimBody,
  errors: [
    apiErrors.notFound,
    apiErrors.conflict,
    apiErrors.preconditionFailed,
    errors.emailInUse,
    errors.exceedsRights,
    errors.illegalMove,
    errors.lastAdministrator,
    errors.quotaReached,
  ],
} as const
const removing = { ...common, errors: [errors.exceedsRights, errors.illegalMove, errors.lastAdministrator] } as const

const Described = Type.Unsafe<Document>(Type.Object({ schemas: Type.Array(Type.String()) }))
const Nothing = Type.Null()

async function people(
  directory: Directory,
  rows: readonly PersonRow[],
  wanted: Projection,
): Promise<readonly Document[]> {
  const { tx, services } = directory
  const groups = await groupsOf(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const of = groups(row.id)
    const document = of.length === 0 ? row.document : { ...row.document, groups: of }
    return resourceOf(services.kernel, userSchema, { row, document, wanted })
  })
}

async function person(directory: Directory, row: PersonRow, wanted: Projection): Promise<Answer<Document>> {
  const [resource = {}] = await people(directory, [row], wanted)
  return new Answer(resource, { version: row.version })
}

function group({ services }: Directory, row: GroupRow, wanted: Projection): Answer<Document> {
  const resource = resourceOf(services.kernel, groupSchema, { row, document: row.document, wanted })
  return new Answer(resource, { version: row.version })
}

/** What every list needs before its rows: the filter, where the page begins and what its cursors are bound to. */
function listing({ tx, services }: Directory, schema: ResourceSchema, query: ListQuery) {
  const filter = query.filter === undefined ? null : parseFilter(schema, query.filter)
  const scope = [tx.tenantId, schema.name, query.filter ?? '']
  return { filter, scope, wish: pageWish(services.kernel, scope, query) }
}

export const scimRoutes = [
  route.get('/ServiceProviderConfig', {
    ...common,
    summary: 'What this SCIM server can do',
    returns: [200, Described],
    handler: async (context) => serviceProviderConfig((await directoryOf(context)).services.kernel),
  }),
  route.get('/ResourceTypes', {
    ...common,
    summary: 'The kinds of SCIM resources',
    returns: [200, ScimList],
    handler: async (context) => resourceTypes((await directoryOf(context)).services.kernel),
  }),
  route.get('/Schemas', {
    ...common,
    summary: 'The attributes of SCIM resources',
    returns: [200, ScimList],
    handler: async (context) => schemaDocuments((await directoryOf(context)).services.kernel),
  }),
  route.get('/Users', {
    ...common,
    summary: 'Find people',
    query: ListQuerySchema,
    returns: [200, ScimList],
    handler: async (context) => {
      const directory = await directoryOf(context)
      const { filter, scope, wish } = listing(directory, userSchema, context.query)
      const total = await countPeople(directory.tx, filter)
      const rows = await findPeople(directory.tx, filter, wish)
      return listOf(context.kernel, { scope, wish, total }, await people(directory, rows, context.query))
    },
  }),
  route.post('/Users', {
    ...writing,
    summary: 'Make a person',
    returns: [201, ScimResource],
    audit: 'iam.scim.user_create',
    handler: async (context) => {
      const directory = await directoryOf(context)
      return person(directory, await createPerson(directory, readDocument(userSchema, context.body)), context.query)
    },
  }),
  route.get('/Users/{user_id}', {
    ...reading,
    summary: 'Get a person',
    returns: [200, ScimResource],
    handler: async (context) => {
      const directory = await directoryOf(context)
      return person(directory, await needPerson(directory.tx, context.params.user_id), context.query)
    },
  }),
  route.put('/Users/{user_id}', {
    ...writing,
    summary: 'Replace a person',
    returns: [200, ScimResource],
    audit: 'iam.scim.user_change',
    handler: async (context) => {
      const directory = await directoryOf(context)
      const document = readDocument(userSchema, context.body)
      const change = () => document
      return person(directory, await changePerson(directory, { id: context.params.user_id, change }), context.query)
    },
  }),
  route.patch('/Users/{user_id}', {
    ...writing,
    summary: 'Patch a person',
    returns: [200, ScimResource],
    audit: 'iam.scim.user_change',
    handler: async (context) => {
      const directory = await directoryOf(context)
      const change = (before: Document) => applyPatch(userSchema, before, context.body)
      return person(directory, await changePerson(directory, { id: context.params.user_id, change }), context.query)
    },
  }),
  route.delete('/Users/{user_id}', {
    ...removing,
    summary: 'Take a person out; the account is deactivated',
    returns: [204, Nothing],
    audit: 'iam.scim.user_remove',
    handler: async (context) => {
      await removePerson(await directoryOf(context), context.params.user_id)
      return null
    },
  }),
  route.get('/Groups', {
    ...common,
    summary: 'Find groups',
    query: ListQuerySchema,
    returns: [200, ScimList],
    handler: async (context) => {
      const directory = await directoryOf(context)
      const { filter, scope, wish } = listing(directory, groupSchema, context.query)
      const total = await countGroups(directory.tx, filter)
      const rows = await findGroups(directory.tx, filter, wish)
      const shown = rows.map((row) => group(directory, row, context.query).data)
      return listOf(context.kernel, { scope, wish, total }, shown)
    },
  }),
  route.post('/Groups', {
    ...writing,
    summary: 'Make a group',
    returns: [201, ScimResource],
    audit: 'iam.scim.group_create',
    handler: async (context) => {
      const directory = await directoryOf(context)
      return group(directory, await createGroup(directory, readDocument(groupSchema, context.body)), context.query)
    },
  }),
  route.get('/Groups/{group_id}', {
    ...reading,
    summary: 'Get a group',
    returns: [200, ScimResource],
    handler: async (context) => {
      const directory = await directoryOf(context)
      return group(directory, await needGroup(directory.tx, context.params.group_id), context.query)
    },
  }),
  route.put('/Groups/{group_id}', {
    ...writing,
    summary: 'Replace a group',
    returns: [200, ScimResource],
    audit: 'iam.scim.group_change',
    handler: async (context) => {
      const directory = await directoryOf(context)
      const document = readDocument(groupSchema, context.body)
      const change = () => document
      return group(directory, await changeGroup(directory, { id: context.params.group_id, change }), context.query)
    },
  }),
  route.patch('/Groups/{group_id}', {
    ...writing,
    summary: 'Patch a group',
    returns: [200, ScimResource],
    audit: 'iam.scim.group_change',
    handler: async (context) => {
      const directory = await directoryOf(context)
      const change = (before: Document) => applyPatch(groupSchema, before, context.body)
      return group(directory, await changeGroup(directory, { id: context.params.group_id, change }), context.query)
    },
  }),
  route.delete('/Groups/{group_id}', {
    ...removing,
    summary: 'Remove a group; its members lose what it gave',
    returns: [204, Nothing],
    audit: 'iam.scim.group_remove',
    handler: async (context) => {
      await removeGroup(await directoryOf(context), context.params.group_id)
      return null
    },
  }),
]
