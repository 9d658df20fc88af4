/** This server's description of itself for directories (RFC 7643 sections 5 to 7). */
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { type Attribute, enterpriseUrn, groupSchema, type ResourceSchema, userSchema } from './attributes.ts'
import { mostBulkOperations, mostBulkPayload } from './bulk.ts'
import { type Document, isDocument } from './match.ts'
import { defaultCount, maxCount, root } from './resource.ts'

type Configured = Pick<Kernel, 'config'>

const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const schemas: readonly ResourceSchema[] = [userSchema, groupSchema]

export function serviceProviderConfig({ config }: Configured): Document {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: mostBulkOperations, maxPayloadSize: mostBulkPayload },
    filter: { supported: true, maxResults: maxCount },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    // RFC 9865
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: defaultCount,
      maxPageSize: maxCount,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'An API key of the kind scim, as a bearer token',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${config.publicUrl}${root}/ServiceProviderConfig` },
  }
}

export function resourceTypes({ config }: Configured): Document {
  return listed(
    schemas.map(({ name, endpoint, core, description }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: name,
      name,
      endpoint,
      description,
      schema: core,
      ...(name === 'User' ? { schemaExtensions: [{ schema: enterpriseUrn, required: false }] } : {}),
      meta: { resourceType: 'ResourceType', location: `${config.publicUrl}${root}/ResourceTypes/${name}` },
    })),
  )
}

export function schemaDocuments({ config }: Configured): Document {
  const extension = userSchema.attributes.find(({ name }) => name === enterpriseUrn)
  const all = [
    ...schemas.map(({ core, name, description, attributes }) => ({ id: core, name, description, attributes })),
    { id: enterpriseUrn, name: 'EnterpriseUser', description: 'Enterprise user', attributes: extension?.sub ?? [] },
  ]
  return listed(
    all.map(({ attributes, ...schema }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      ...schema,
      attributes: attributes.filter(isDescribed).map(described),
      meta: { resourceType: 'Schema', location: `${config.publicUrl}${root}/Schemas/${schema.id}` },
    })),
  )
}

/** Common attributes are no part of a schema (RFC 7643 section 3.1), an extension is one of its own. */
const isDescribed = ({ name }: Attribute): boolean =>
  !['id', 'externalId', 'meta'].includes(name) && name !== enterpriseUrn

function described(attribute: Attribute): Document {
  const { name, type, multiple, description, required, exact, readOnly, unique, sub } = attribute
  return {
    name,
    type,
    multiValued: multiple,
    description,
    required,
    ...(type === 'string' ? { caseExact: exact } : {}),
    ...(type === 'reference' ? { caseExact: true, referenceTypes: ['User', 'Group'] } : {}),
    mutability: readOnly ? 'readOnly' : 'readWrite',
    returned: name === 'id' ? 'always' : 'default',
    uniqueness: unique ? 'server' : 'none',
    ...(sub.length > 0 ? { subAttributes: sub.map(described) } : {}),
  }
}

/** One of a list, by its id. @throws API-013 */
export function oneOf(list: Document, id: string): Document {
  const all: readonly unknown[] = Array.isArray(list.Resources) ? list.Resources : []
  const found = all.filter(isDocument).find((one) => String(one.id).toLowerCase() === id.toLowerCase())
  if (found === undefined) throw apiErrors.notFound({ what: 'description' })
  return found
}

function listed(resources: readonly Document[]): Document {
  return {
    schemas: [listUrn],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  }
}
