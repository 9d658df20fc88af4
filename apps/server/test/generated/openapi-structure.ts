/**
 * Rules of OpenAPI 3.1 that no schema compiler checks: parameters that fit the path, references that
 * lead somewhere, operation ids that are unique. Written against the specification, not against our generator.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isJson, type Json } from './schema-values.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const parameterPlaces = new Set(['query', 'header', 'path', 'cookie'])

interface Operation {
  readonly name: string
  readonly path: string
  readonly operation: Json
}

const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : [])
const members = (value: unknown): readonly (readonly [string, unknown])[] =>
  isJson(value) ? Object.entries(value) : []

/** One sentence per fault; empty for a document that may be published. */
export function openApiFaults(document: Json): readonly string[] {
  const all = operationsOf(document)
  return [
    ...rootFaults(document),
    ...all.flatMap((entry) => operationFaults(entry).map((text) => `${entry.name}: ${text}`)),
    ...repeated(all.map(({ operation }) => String(operation.operationId))).map(
      (id) => `operationId ${id} is used twice`,
    ),
    ...securityFaults(document, all),
    ...referenceFaults(document),
    ...schemaFaults(document, all),
  ]
}

function operationsOf(document: Json): readonly Operation[] {
  return members(document.paths).flatMap(([path, item]) =>
    members(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        name: `${method} ${path}`,
        path,
        operation: isJson(operation) ? operation : {},
      })),
  )
}

function rootFaults(document: Json): readonly string[] {
  const { openapi, info, servers } = document
  const faults: string[] = []
  if (!/^3\.1\.\d+$/.test(String(openapi))) faults.push(`openapi is ${String(openapi)}`)
  if (!isJson(info) || typeof info.title !== 'string' || typeof info.version !== 'string')
    faults.push('info needs a title and a version')
  if (objects(servers).some(({ url }) => !URL.canParse(String(url)))) faults.push('a server has no address')
  for (const [path, item] of members(document.paths)) {
    if (!path.startsWith('/')) faults.push(`the path ${path} does not begin with a slash`)
    const unknown = members(item).filter(([name]) => !methods.has(name))
    faults.push(...unknown.map(([name]) => `${path} has the unknown member ${name}`))
  }
  return faults
}

function operationFaults({ path, operation }: Operation): readonly string[] {
  const parameters = objects(operation.parameters)
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => String(name))
  const inTemplate = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const responses = members(operation.responses)
  return [
    ...(typeof operation.operationId === 'string' ? [] : ['has no operationId']),
    ...(typeof operation.summary === 'string' && operation.summary !== '' ? [] : ['has no summary']),
    ...(inPath.sort().join() === inTemplate.sort().join() ? [] : [`path parameters are ${inPath.join(', ')}`]),
    ...repeated(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).map(
      (name) => `${name} stands twice`,
    ),
    ...parameters.flatMap(parameterFaults),
    ...(responses.length > 0 ? [] : ['has no responses']),
    ...responses.flatMap(([status, response]) => responseFaults(status, response)),
    ...(operation.requestBody === undefined || hasContent(operation.requestBody) ? [] : ['the body has no content']),
  ]
}

function parameterFaults(parameter: Json): readonly string[] {
  const name = String(parameter.name)
  return [
    ...(parameterPlaces.has(String(parameter.in)) ? [] : [`${name} stands in ${String(parameter.in)}`]),
    ...(parameter.in !== 'path' || parameter.required === true ? [] : [`${name} must be required`]),
    ...(isJson(parameter.schema) ? [] : [`${name} has no schema`]),
  ]
}

function responseFaults(status: string, response: unknown): readonly string[] {
  return [
    ...(/^[1-5]\d\d$/.test(status) ? [] : [`the status ${status} is none`]),
    ...(isJson(response) && typeof response.description === 'string' && response.description !== ''
      ? []
      : [`${status} has no description`]),
  ]
}

function hasContent(body: unknown): boolean {
  return isJson(body) && members(body.content).some(([, media]) => isJson(media) && isJson(media.schema))
}

function securityFaults(document: Json, all: readonly Operation[]): readonly string[] {
  const { components } = document
  const schemes = new Set(members(isJson(components) ? components.securitySchemes : undefined).map(([name]) => name))
  return all.flatMap(({ name, operation }) =>
    objects(operation.security)
      .flatMap((requirement) => Object.keys(requirement))
      .filter((scheme) => !schemes.has(scheme))
      .map((scheme) => `${name}: there is no security scheme ${scheme}`),
  )
}

/** Also of an AsyncAPI document: references of both lead to a member of the same document. */
export function referenceFaults(document: Json): readonly string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJson(value)) return
    if (typeof value.$ref === 'string') found.push(value.$ref)
    Object.values(value).forEach(visit)
  }
  visit(document)
  return [...new Set(found)].filter((ref) => lookUp(document, ref) === undefined).map((ref) => `${ref} leads nowhere`)
}

function lookUp(document: Json, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  const names = ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((value, name) => (isJson(value) ? value[name] : undefined), document)
}

/** Each schema is one that a JSON Schema 2020-12 validator takes. */
function schemaFaults(document: Json, all: readonly Operation[]): readonly string[] {
  // Compiled only to prove that they compile: optimizing the code would cost more time than it saves.
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const compile = (schema: unknown): string | null => {
    try {
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')))
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return all.flatMap(({ name, operation }) => {
    const schemas = [
      ...objects(operation.parameters).map(({ schema }) => schema),
      ...contentSchemas(operation.requestBody),
      ...members(operation.responses).flatMap(([, response]) => contentSchemas(response)),
    ]
    return schemas
      .map(compile)
      .filter((fault) => fault !== null)
      .map((fault) => `${name}: ${fault}`)
  })
}

function contentSchemas(part: unknown): readonly unknown[] {
  return members(isJson(part) ? part.content : undefined).map(([, media]) => (isJson(media) ? media.schema : undefined))
}

export function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
