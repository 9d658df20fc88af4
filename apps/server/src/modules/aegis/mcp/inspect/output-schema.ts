/** Structured results held against the pinned `outputSchema` of their tool. Tested in inspect.test.ts. */
import { GuardrailRefusal } from '../../guardrails/engine/refusal.ts'
import { compileValidator } from '../../guardrails/engine/schema-check.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'

/** One detection, or null for a result of the approved form. */
export type OutputCheck = (pin: string | null, definition: Members, result: Members) => string | null

type Validator = ((value: unknown) => boolean) | null

const mostSchemas = 1_000
/** Characters of a structured result that is checked. */
const longestContent = 262_144

/** A schema outside of the bounds is not used, and its results are marked as not looked at. */
export function createOutputCheck(): OutputCheck {
  const known = new Map<string, Validator>()
  const validatorOf = (pin: string | null, schema: Members): Validator => {
    const kept = pin === null ? undefined : known.get(pin)
    if (kept !== undefined) return kept
    const made = compile(schema)
    if (known.size >= mostSchemas) known.clear()
    if (pin !== null) known.set(pin, made)
    return made
  }
  return (pin, { outputSchema: schema }, result) => {
    if (schema === undefined || result.isError === true || result.resultType === 'input_required') return null
    const content = result.structuredContent
    if (content === undefined) return 'schema-mismatch'
    const validate = validatorOf(pin, objectOf(schema))
    if (validate === null || JSON.stringify(content).length > longestContent) return 'uninspected:structured'
    return validate(content) ? null : 'schema-mismatch'
  }
}

function compile(schema: Members): Validator {
  try {
    return compileValidator(schema, { at: '/outputSchema', strict: false })
  } catch (error) {
    if (error instanceof GuardrailRefusal) return null
    throw error
  }
}
