/** Definitions from requests, checked and compiled; refusals become errors. Tested in guardrails.test.ts. */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import { errors } from '../../errors/errors.ts'
import { refuseUnknownTags } from '../../rules/definition.ts'
import type { CreateGuardrail, Definition, GuardrailRow, PatchGuardrail } from '../declared/schema.ts'
import { definitionMembers } from '../declared/schema.ts'
import type { GuardrailKind } from '../declared/words.ts'
import { type Compiled, compileGuardrail } from '../engine/compile.ts'
import { GuardrailRefusal } from '../engine/refusal.ts'

const usual = {
  target: {},
  action_config: {},
  on_error: 'deny',
  message: null,
  tags: [],
} as const

type Written = Pick<CreateGuardrail, 'checks' | 'action'> & Partial<Definition>

export function definitionOf(input: Written): Definition {
  const given = definitionMembers.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]]))
  return { ...usual, tags: [], ...Object.fromEntries(given), checks: input.checks, action: input.action }
}

export const storedDefinition = (row: GuardrailRow): Definition =>
  Object.fromEntries(definitionMembers.map((name) => [name, row[name]])) as unknown as Definition

/** The definition with a patch applied, where null removes a member; null if the patch changes nothing of it. */
export function patchedDefinition(row: GuardrailRow, patch: PatchGuardrail): Definition | null {
  const before = storedDefinition(row)
  const given = definitionMembers.flatMap((name) => (patch[name] === undefined ? [] : [[name, patch[name]] as const]))
  const backs = given.filter(([name, value]) => value === null && !Object.hasOwn(usual, name))
  const [back] = backs
  if (back !== undefined) throw invalid(`A guardrail cannot be without ${back[0]}.`, `/${back[0]}`)
  const changes = given.map(([name, value]) => [name, value ?? usual[name as keyof typeof usual]])
  const after: Definition = { ...before, ...Object.fromEntries(changes) }
  return JSON.stringify(after) === JSON.stringify(before) ? null : after
}

/** Reads the definition completely. @throws API-001, AEGIS-004, AEGIS-006, AEGIS-017 with the place that is meant */
export function checkDefinition(kind: GuardrailKind, definition: Definition, prefix = ''): Compiled {
  refuseUnknownTags(definition.tags)
  try {
    return compileGuardrail(kind, definition)
  } catch (error) {
    if (error instanceof GuardrailRefusal) throw problemOf(error, prefix)
    throw error
  }
}

function problemOf({ kind, message, pointer }: GuardrailRefusal, prefix: string): ProblemError {
  const error = {
    expression: errors.invalidExpression,
    cost: errors.tooCostly,
    schema: errors.invalidSchema,
    form: apiErrors.validation,
  }[kind]
  return error({ what: message }).at([{ detail: message, pointer: `${prefix}${pointer}` }])
}

export const invalid = (detail: string, pointer: string): ProblemError =>
  apiErrors.validation({ what: detail }).at([{ detail, pointer }])
