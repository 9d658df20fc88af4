/** SCIM 2.0 at the address directories expect (RFC 7644): provisioning of people and groups with a key of the kind `scim`. */
import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { IamServices } from '../services/iam-services.ts'
import { group, listGroups, listPeople, person } from './answers.ts'
import { groupSchema, userSchema } from './attributes.ts'
import { mostBulkPayload } from './bulk.ts'
import { runBulk } from './bulk-run.ts'
import { directoryOf } from './caller.ts'
import { scimDiscoveryRoutes } from './discovery.routes.ts'
import { readDocument } from './document.ts'
import { changeGroup, createGroup, needGroup, removeGroup } from './groups.ts'
import type { Document } from './match.ts'
import { applyPatch } from './patch.ts'
import { needPerson } from './people.ts'
import { scimForm } from './problems.ts'
import { ListQuery as ListQuerySchema, ProjectionQuery, ScimBody, ScimList, ScimResource } from './resource.ts'
import { readSearch } from './search.ts'
import { written } from './sync-failures.ts'
import { changePerson, createPerson, removePerson } from './users.ts'

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

const searching = { ...common, open: true, body: ScimBody, returns: [200, ScimList], audit: 'iam.scim.search' } as const

const Nothing = Type.Null()

const BulkAnswer = Type.Unsafe<Document>(
  Type.Object({
    schemas: Type.Array(Type.String()),
    Operations: Type.Array(
      Type.Object({
        method: Type.String(),
        bulkId: Type.Optional(Type.String()),
        version: Type.Optional(Type.String()),
        location: Type.Optional(Type.String()),
        status: Type.String(),
        response: Type.Optional(Type.Object({})),
      }),
    ),
  }),
)

export const scimRoutes = [
  ...scimDiscoveryRoutes,
  route.post('/Bulk', {
    ...common,
    summary: 'Make, change and remove several people and groups',
    description:
      'Each operation is a transaction of its own and answers as the single call would; what refers to a `bulkId` runs after what makes it.',
    open: true,
    body: ScimBody,
    returns: [200, BulkAnswer],
    audit: 'iam.scim.bulk',
    rateClass: 'expensive',
    ownTransactions: true,
    bodyLimit: mostBulkPayload,
    errors: [apiErrors.tooLarge],
    handler: ({ services, actor, request, body }) => runBulk({ services, actor, request }, body),
  }),
  route.get('/Users', {
    ...common,
    summary: 'Find people',
    query: ListQuerySchema,
    returns: [200, ScimList],
    handler: async (context) => listPeople(await directoryOf(context), context.query),
  }),
  route.post('/Users/.search', {
    ...searching,
    summary: 'Find people, asked in a body',
    handler: async (context) => listPeople(await directoryOf(context), readSearch(context.body)),
  }),
  route.post('/Users', {
    ...writing,
    summary: 'Make a person',
    returns: [201, ScimResource],
    audit: 'iam.scim.user_create',
    handler: (context) =>
      written(context, async (directory) =>
        person(directory, await createPerson(directory, readDocument(userSchema, context.body)), context.query),
      ),
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
    handler: (context) =>
      written(context, async (directory) => {
        const document = readDocument(userSchema, context.body)
        const change = () => document
        return person(directory, await changePerson(directory, { id: context.params.user_id, change }), context.query)
      }),
  }),
  route.patch('/Users/{user_id}', {
    ...writing,
    summary: 'Patch a person',
    returns: [200, ScimResource],
    audit: 'iam.scim.user_change',
    handler: (context) =>
      written(context, async (directory) => {
        const change = (before: Document) => applyPatch(userSchema, before, context.body)
        return person(directory, await changePerson(directory, { id: context.params.user_id, change }), context.query)
      }),
  }),
  route.delete('/Users/{user_id}', {
    ...removing,
    summary: 'Take a person out; the account is deactivated',
    returns: [204, Nothing],
    audit: 'iam.scim.user_remove',
    handler: (context) =>
      written(context, async (directory) => {
        await removePerson(directory, context.params.user_id)
        return null
      }),
  }),
  route.get('/Groups', {
    ...common,
    summary: 'Find groups',
    query: ListQuerySchema,
    returns: [200, ScimList],
    handler: async (context) => listGroups(await directoryOf(context), context.query),
  }),
  route.post('/Groups/.search', {
    ...searching,
    summary: 'Find groups, asked in a body',
    handler: async (context) => listGroups(await directoryOf(context), readSearch(context.body)),
  }),
  route.post('/Groups', {
    ...writing,
    summary: 'Make a group',
    returns: [201, ScimResource],
    audit: 'iam.scim.group_create',
    handler: (context) =>
      written(context, async (directory) =>
        group(directory, await createGroup(directory, readDocument(groupSchema, context.body)), context.query),
      ),
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
    handler: (context) =>
      written(context, async (directory) => {
        const document = readDocument(groupSchema, context.body)
        const change = () => document
        return group(directory, await changeGroup(directory, { id: context.params.group_id, change }), context.query)
      }),
  }),
  route.patch('/Groups/{group_id}', {
    ...writing,
    summary: 'Patch a group',
    returns: [200, ScimResource],
    audit: 'iam.scim.group_change',
    handler: (context) =>
      written(context, async (directory) => {
        const change = (before: Document) => applyPatch(groupSchema, before, context.body)
        return group(directory, await changeGroup(directory, { id: context.params.group_id, change }), context.query)
      }),
  }),
  route.delete('/Groups/{group_id}', {
    ...removing,
    summary: 'Remove a group; its members lose what it gave',
    returns: [204, Nothing],
    audit: 'iam.scim.group_remove',
    handler: (context) =>
      written(context, async (directory) => {
        await removeGroup(directory, context.params.group_id)
        return null
      }),
  }),
]
