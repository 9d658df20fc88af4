/** Whether a body is what its route declares, by a validator that shares no code with those of the product. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { DeclaredRoute } from '../generated/manifest.ts'
import type { FuzzRequest } from './requests.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: true })
addFormats.default(ajv)
const checks = new Map<string, ValidateFunction>()

/** True where there is nothing to judge: a vendor fixed the form, it is a file, or nothing of JSON was sent. */
export function isDeclaredBody({ name, route }: DeclaredRoute, { payload }: FuzzRequest): boolean {
  if (
    route.upload !== null ||
    route.open ||
    route.method === 'GET' ||
    typeof payload !== 'string' ||
    payload.trim() === ''
  )
    return true
  const schema: unknown = route.body ?? { type: 'object', additionalProperties: false }
  const check = checks.get(name) ?? ajv.compile(JSON.parse(JSON.stringify(schema)))
  checks.set(name, check)
  return check(JSON.parse(payload) ?? {})
}
