/**
 * Conditions of guardrails in CEL: the published variables and functions. Functions that ask for the history of the
 * session read the call that is evaluated at the moment, since calls are evaluated one at a time and without a wait.
 * Tested in checks.test.ts.
 */
import ipaddr from 'ipaddr.js'
import { getDomain } from 'tldts'
import type { CelFunction } from '../../../../kernel/cel/functions.ts'
import { CelFault, compileExpression, createCelReader } from '../../../../kernel/cel/program.ts'
import type { CelField, CelFields, CelShape } from '../../../../kernel/cel/shape.ts'
import { compileWildcard, matchesWildcard } from '../../agents/wildcard.ts'
import type { Facts } from './facts.ts'
import { GuardrailRefusal } from './refusal.ts'

const text: CelField = { shape: 'string' }
const int: CelField = { shape: 'int' }
const texts: CelField = { shape: { list: 'string' } }
const dyn: CelField = { shape: 'dyn' }
const fields = (members: CelFields): CelField => ({ shape: { fields: members } })

/** The published context. Values missing in a call are an empty text, 0, an empty list or, for `args`, null. */
export const celContext: CelFields = {
  agent: fields({ id: text, tier: int, autonomy: int, tags: texts, env: text }),
  user: fields({ id: text, department: text }),
  server: fields({ slug: text, trust: text, labels: texts }),
  tool: fields({ name: text, labels: texts, annotations: dyn, pinned: { shape: 'bool' } }),
  args: dyn,
  input: fields({ text }),
  result: fields({ text, structured: dyn, detections: texts }),
  session: fields({ id: text, labels: texts, calls: int, denied: int, started: { shape: 'timestamp' } }),
  request: fields({ ip: text, hour: int, model: text, tags: texts }),
}

/** The call that is evaluated now. */
let current: Facts | null = null

function define(
  name: string,
  parameters: readonly CelShape[],
  result: CelShape,
  cost: number,
  call: (...values: never[]) => unknown,
): CelFunction {
  return { name, parameters, result, cost, call: call as CelFunction['call'] }
}

export const celFunctionsOfGuardrails: readonly CelFunction[] = [
  define('glob', ['string', 'string'], 'bool', 2, (pattern: string, name: string) => matchesWildcard(pattern, name)),
  define('domain_of', ['string'], 'string', 5, (address: string) => getDomain(address) ?? ''),
  define('in_cidr', ['string', 'string'], 'bool', 5, inCidr),
  define('entropy', ['string'], 'double', 20, entropy),
  define('luhn', ['string'], 'bool', 5, luhn),
  define(
    'has_label',
    ['string'],
    'bool',
    2,
    (label: string) => current?.context.session?.labels.includes(label) ?? false,
  ),
  define('count_recent', ['string', 'int'], 'int', 20, countRecent),
]

/** @throws CelFault for a range that is none */
function inCidr(address: string, range: string): boolean {
  if (!ipaddr.isValid(address)) return false
  if (!ipaddr.isValidCIDR(range)) throw new CelFault(`${range.slice(0, 50)} is no range of addresses.`)
  const [parsed, [network, bits]] = [ipaddr.process(address), ipaddr.parseCIDR(range)]
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}

/** Shannon entropy in bits a character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  let length = 0
  for (const character of value) {
    counts.set(character, (counts.get(character) ?? 0) + 1)
    length += 1
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length)
  return bits
}

/** The check of ISO/IEC 7812 over 12 to 19 digits; spaces and hyphens are ignored. */
export function luhn(value: string): boolean {
  const digits = value.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Calls of the session to tools of the pattern in the last seconds, without this one. */
function countRecent(pattern: string, seconds: number): number {
  const context = current?.context
  if (context === undefined) return 0
  const from = context.atMs - seconds * 1_000
  const fits = compileWildcard(pattern)
  return context.history.filter(({ server, tool, atMs }) => atMs >= from && (fits(tool) || fits(`${server}/${tool}`)))
    .length
}

export interface CompiledCondition {
  readonly size: { readonly nodes: number; readonly depth: number }
  readonly names: ReadonlySet<string>
  /** Needs the findings of detectors in a result. */
  readonly readsDetections: boolean
  /** @throws CelFault, CheckFault */
  holds(facts: Facts): boolean
}

const readCondition = createCelReader((source) =>
  compileExpression(source, { variables: celContext, functions: celFunctionsOfGuardrails, result: 'bool' }),
)

/** @throws GuardrailRefusal */
export function compileCondition(source: string, pointer: string): CompiledCondition {
  const compiled = readCondition(source)
  if (!compiled.ok) {
    const place = compiled.position === null ? '' : ` (character ${compiled.position})`
    throw new GuardrailRefusal(compiled.isCostly ? 'cost' : 'expression', pointer, `${compiled.reason}${place}`)
  }
  const { size, names, evaluateShared } = compiled.expression
  // Detectors run only where the expression uses their findings.
  const withDetections = source.includes('detections')
  return {
    size,
    names,
    readsDetections: withDetections,
    holds: (facts) => {
      current = facts
      try {
        return evaluateShared(withDetections ? facts.variablesWithDetections : facts.variables) === true
      } finally {
        current = null
      }
    },
  }
}
