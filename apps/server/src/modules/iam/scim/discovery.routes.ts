/** Discovery endpoints of the SCIM server (RFC 7644 section 4): complete, never filtered. Tested in scim.test.ts. */
import Type from 'typebox'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { IamServices } from '../services/iam-services.ts'
import { directoryOf } from './caller.ts'
import { oneOf, resourceTypes, schemaDocuments, serviceProviderConfig } from './discovery.ts'
import type { Document } from './match.ts'
import { scimForm } from './problems.ts'
import { DiscoveryQuery, ScimBody, ScimList } from './resource.ts'

const route = routesOf<IamServices>()
const Described = Type.Unsafe<Document>(Type.Object({ schemas: Type.Array(Type.String()) }))
const told = {
  permission: 'authenticated',
  raw: scimForm,
  query: DiscoveryQuery,
  errors: [errors.notFiltered],
} as const

type Context = Parameters<typeof directoryOf>[0] & { readonly query: { readonly filter?: string | undefined } }

/** @throws AUTH-004, IAM-018 */
async function configuredFor(context: Context) {
  const { services } = await directoryOf(context)
  if (context.query.filter !== undefined) throw errors.notFiltered()
  return services.kernel
}

const name = Type.String({ minLength: 1, maxLength: 200 })

/** RFC 7644 section 3.11: the unsupported alias answers 501 to every request. */
const alias = {
  permission: 'authenticated',
  raw: scimForm,
  summary: 'Not served: a directory is nobody’s account',
  returns: [200, Described],
  errors: [errors.notServed],
  handler: async (context: Parameters<typeof directoryOf>[0]): Promise<Document> => {
    await directoryOf(context)
    throw errors.notServed({ what: 'A directory is nobody’s account; ask for people at /Users.' })
  },
} as const
const sent = { open: true, body: ScimBody, audit: 'iam.scim.me' } as const

export const scimDiscoveryRoutes = [
  route.get('/Me', alias),
  route.post('/Me', { ...alias, ...sent }),
  route.put('/Me', { ...alias, ...sent }),
  route.patch('/Me', { ...alias, ...sent }),
  route.delete('/Me', { ...alias, audit: sent.audit }),
  route.get('/ServiceProviderConfig', {
    ...told,
    summary: 'What this SCIM server can do',
    returns: [200, Described],
    handler: async (context) => serviceProviderConfig(await configuredFor(context)),
  }),
  route.get('/ResourceTypes', {
    ...told,
    summary: 'The kinds of SCIM resources',
    returns: [200, ScimList],
    handler: async (context) => resourceTypes(await configuredFor(context)),
  }),
  route.get('/ResourceTypes/{resource_type}', {
    ...told,
    summary: 'One kind of SCIM resource',
    params: { resource_type: name },
    returns: [200, Described],
    handler: async (context) => oneOf(resourceTypes(await configuredFor(context)), context.params.resource_type),
  }),
  route.get('/Schemas', {
    ...told,
    summary: 'The attributes of SCIM resources',
    returns: [200, ScimList],
    handler: async (context) => schemaDocuments(await configuredFor(context)),
  }),
  route.get('/Schemas/{schema_urn}', {
    ...told,
    summary: 'The attributes of one schema',
    params: { schema_urn: name },
    returns: [200, Described],
    handler: async (context) => oneOf(schemaDocuments(await configuredFor(context)), context.params.schema_urn),
  }),
]
